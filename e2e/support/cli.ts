import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { NODE_24, ROOT } from "./process.ts";

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `chest-index` to its end, with exactly this environment. */
export const runCli = (args: readonly string[], env: NodeJS.ProcessEnv, cwd = ROOT): Promise<Ended> =>
  runProgram([join(ROOT, "apps/cli/src/main.ts"), ...args], env, cwd);

/** The same for any program that Node 24 runs. */
export async function runProgram(words: readonly string[], env: NodeJS.ProcessEnv, cwd = ROOT): Promise<Ended> {
  const child = spawn(NODE_24, [...words], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { exitCode: child.exitCode, stdout, stderr };
}
