import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Folder of the workspace, without a slash at the end. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/** Node 24 of the workspace, even when another Node runs the tests. */
export const NODE_24 = `${ROOT}/node_modules/node/bin/node`;
/** Heap flags of `npm start`. */
export const HEAP_FLAGS: readonly string[] = (await import(`${ROOT}/deploy/local/heap.mjs`)).HEAP_FLAGS;
/** Bundle that every installation runs. */
export const CHEST_SERVER = `${ROOT}/apps/server/dist/chest-server.js`;
/** The published command. Started from source, it would take twice the processor time. */
export const CHEST_INDEX = `${ROOT}/apps/mcp/dist/chest-index.js`;

export interface RunningProgram {
  readonly process: ChildProcess;
  /** Everything printed so far, on both streams. */
  output(): string;
  /** Sends this signal and resolves when the process has ended; may be called twice. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a program that ends at the latest with the test process. */
export function startProgram(command: string, args: readonly string[], env: NodeJS.ProcessEnv): RunningProgram {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => printed.push(text));
  child.on("error", (error) => printed.push(String(error)));
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const closed = once(child, "close").then(() => process.off("exit", killWithUs));

  return {
    process: child,
    output: () => printed.join(""),
    async end(signal) {
      child.kill(signal);
      await closed;
    },
  };
}

/** Environment of the test without the machine's `CHEST_*` variables. */
export function cleanEnv(extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("CHEST_") && name !== "DATABASE_URL",
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

/** Repeats an attempt until it succeeds. Fails with the program's output when time is up or the program has ended. */
export async function waitUntilReady(
  program: RunningProgram,
  isReady: () => Promise<boolean>,
  { timeoutMs = 60_000, pollMs = 50 }: { readonly timeoutMs?: number; readonly pollMs?: number | undefined } = {},
) {
  const deadline = Date.now() + timeoutMs;
  while (!(await isReady())) {
    const { exitCode, signalCode } = program.process;
    const isOver = exitCode !== null || signalCode !== null;
    if (isOver || Date.now() > deadline) {
      await program.end("SIGKILL");
      throw new Error(`not ready after ${timeoutMs} ms, or ended (${exitCode ?? signalCode}):\n${program.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
