import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks on the terminal; undefined where the terminal was closed (Ctrl-D). @param isSecret what is typed is not shown. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isSecret ? silent : process.stderr, terminal: true });
  // Creating the interface turns off the echo of the terminal. The question follows that, so that no key is shown.
  process.stderr.write(question);
  // Readline reads single keys in this mode, so Ctrl-C arrives as a key and not as a signal.
  lines.once("SIGINT", () => {
    process.stderr.write("\n");
    process.kill(process.pid, "SIGINT");
  });
  try {
    return await new Promise((resolve) => {
      lines.once("line", (line) => resolve(line.trim()));
      lines.once("close", () => resolve(undefined));
    });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
}

/** Whether a person can be asked. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);
