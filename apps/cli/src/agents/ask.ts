import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks on the terminal. @param isSecret what is typed is not shown. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isSecret ? silent : process.stderr, terminal: true });
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
}

/** Whether there is somebody to ask. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);
