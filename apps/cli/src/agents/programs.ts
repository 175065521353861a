import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Env } from "@chest/runtime";
import { findProgram, lastingPath, thisNode } from "@chest/runtime/programs";

const run = promisify(execFile);
const PATIENCE_MS = 20_000;

/** The version that a program states; undefined for one that states none. */
export async function versionOf(program: string | undefined, env: Env): Promise<string | undefined> {
  if (program === undefined) return undefined;
  try {
    const options = { env, timeout: PATIENCE_MS, shell: program.endsWith(".cmd") };
    const { stdout } = await run(program, ["--version"], options);
    return /(?<!\d)\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  } catch {
    return undefined; // It does not start: as good as none.
  }
}

/** Node that an agent starts our programs with: `node` where the agent finds one that is new enough; else this one. */
export async function agentNode(env: Env, least: string): Promise<string> {
  const PATH = lastingPath(env);
  const found = await versionOf(findProgram("node", { ...env, PATH }), { ...env, PATH });
  return found !== undefined && isAtLeast(found, least) ? "node" : thisNode();
}

/** @param least major and minor. */
export function isAtLeast(version: string, least: string): boolean {
  const [[major = 0, minor = 0], [leastMajor = 0, leastMinor = 0]] = [numbersOf(version), numbersOf(least)];
  return major === leastMajor ? minor >= leastMinor : major > leastMajor;
}

const numbersOf = (version: string): number[] => version.split(".").map(Number);
