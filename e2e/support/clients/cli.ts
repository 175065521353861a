import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { CHEST_INDEX, NODE_24, ROOT } from "../process.ts";

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `chest-index` to its end, with exactly this environment. @param input text for its stdin; none by default */
export const runCli = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = ROOT,
  input = "",
): Promise<ProgramResult> => runProgram([CHEST_INDEX, ...args], env, cwd, input);

/** Runs any program under Node 24 in the same way. */
export async function runProgram(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = ROOT,
  input?: string,
): Promise<ProgramResult> {
  const child = spawn(NODE_24, [...words], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A program that reads no input may end before the input is written.
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { exitCode: child.exitCode, stdout, stderr };
}
