import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { COLUMNS } from "./draw-terminal.ts";

/** A terminal in which lines are typed, and what is not to be seen in what it prints. */
export interface Terminal {
  /** Types a command, and an answer where it asks. Gives the lines of the screen. */
  run(words: string, answer?: string): Promise<string[]>;
  /** Lines of a text as they are shown. */
  linesOf(printed: string): string[];
}

interface TerminalOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Texts that are of one machine, each with what stands for it. */
  readonly hides: readonly (readonly [text: string, shown: string])[];
}

export function openTerminal({ env, cwd, hides }: TerminalOptions): Terminal {
  const linesOf = (printed: string): string[] =>
    hides
      .reduce((text, [from, to]) => text.replaceAll(from, to), stripVTControlCharacters(printed))
      .replaceAll(/cht_[\w-]+/g, "…")
      // npm's wheel.
      .replaceAll(/[\u2800-\u28FF]/g, "")
      .split(/\r?\n/)
      // A line that was drawn anew: its longest form.
      .map((text) =>
        text
          .split("\r")
          .reduce((one, other) => (other.length >= one.length ? other : one))
          .trimEnd(),
      );
  return {
    linesOf,
    async run(words, answer) {
      const program = spawn("script", ["-qec", `stty cols ${COLUMNS}; ${words}`, "/dev/null"], { env, cwd });
      let screen = "";
      let isAnswered = answer === undefined;
      program.stdout.setEncoding("utf8").on("data", (text: string) => {
        screen += text;
        if (isAnswered || !/\[y: [^\]]*\] $/.test(screen)) return;
        isAnswered = true;
        program.stdin.write(`${answer}\r`);
      });
      await once(program, "close");
      return linesOf(screen);
    },
  };
}

/** Starts the backend, and gives what it printed until it was ready. */
export async function startBackend(env: NodeJS.ProcessEnv, cwd: string) {
  const backend = spawn("npm", ["start"], { env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [backend.stdout, backend.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => {
        printed += piece;
        if (printed.includes("Ctrl-C stops it.")) resolve();
      });
    backend.once("close", () => reject(new Error(`\`npm start\` ended:\n${printed}`)));
  });
  return {
    printed,
    async stop() {
      if (backend.pid) process.kill(-backend.pid, "SIGTERM");
      await once(backend, "close");
    },
  };
}
