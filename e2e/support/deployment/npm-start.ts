import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnv } from "../process.ts";

export interface NpmStart {
  readonly process: ChildProcess;
  output(): string;
  /** Signals every process of the group, like Ctrl-C in a terminal. */
  interrupt(): void;
  /** Signals npm only, like a supervisor. */
  terminate(): void;
  /** Waits for the exit code; fails when the process does not end in time. */
  ended(waitMs?: number): Promise<number | null>;
  /** Waits for these words in the output; fails when the process ends without them. */
  printed(words: string, waitMs?: number): Promise<void>;
}

const END_MS = 15_000;
const START_MS = 30_000;

/** Runs `npm start` in a clone, in a separate process group like a shell. */
export function npmStart(dir: string, env: NodeJS.ProcessEnv, inside: readonly string[] = []): NpmStart {
  const [command = "npm", ...args] = [...inside, "npm", "start"];
  const child = spawn(command, args, {
    cwd: dir,
    // A fresh machine has no compile cache.
    env: { ...cleanEnv(env), NODE_COMPILE_CACHE: undefined },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => printed.push(text));
  const output = () => printed.join("");
  const killGroup = () => signal(child, "SIGKILL");
  process.once("exit", killGroup);
  const closed = once(child, "close").then(() => process.off("exit", killGroup));

  return {
    process: child,
    output,
    interrupt: () => signal(child, "SIGINT"),
    terminate: () => child.kill("SIGTERM"),
    async ended(waitMs = END_MS) {
      const isLate = await Promise.race([closed, sleep(waitMs, true, { ref: false })]);
      if (isLate !== true) return child.exitCode;
      killGroup();
      throw new Error(`did not end within ${waitMs} ms:\n${output()}`);
    },
    async printed(words, waitMs = START_MS) {
      const deadline = Date.now() + waitMs;
      while (!output().includes(words)) {
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`no \`${words}\` in:\n${output()}`);
        await sleep(20);
      }
    },
  };
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Command lines of the processes that run in this folder. */
export function processesIn(dir: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOrNothing(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim())
    .filter((line) => line.includes(dir));
}

/** Finds the process that started the backend of a clone. */
export function launcherOf(dir: string): number {
  const backend = readdirSync("/proc").find((pid) =>
    readOrNothing(`/proc/${pid}/cmdline`).includes(`${dir}/apps/server`),
  );
  return Number(/^PPid:\s+(\d+)$/m.exec(readOrNothing(`/proc/${backend}/status`))?.[1]);
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The process has ended meanwhile.
  }
}

export interface Stdio {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}
export interface Http {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Command that prints the other headers. */
  readonly headersHelper: string;
}

/** Reads both configurations from the output, in the form of an agent's settings file. */
export function configurationsIn(output: string): [Stdio, Http] {
  const blocks = output.match(/^\{\n[\s\S]*?^\}$/gm) ?? [];
  if (blocks.length !== 2) throw new Error(`${blocks.length} configurations in:\n${output}`);
  return blocks.map((block) => Object.values(JSON.parse(block).mcpServers)[0]) as [Stdio, Http];
}
