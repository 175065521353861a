import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import type { Env } from "@chest/runtime";
import { findProgram, lastingPath } from "@chest/runtime/programs";

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

/** A Node by its version and its place. */
export interface Node {
  readonly version: string;
  readonly path: string;
}

/** The Node on the user's path if it is new enough, else the one that runs this; not by a shim, which goes by the folder it runs in. */
export async function fittingNode(env: Env, least: string): Promise<Node> {
  const PATH = lastingPath(env);
  const found = await runtimeOf(findProgram("node", { ...env, PATH }), { ...env, PATH });
  if (found && isAtLeast(found.version, least)) return found;
  return { version: process.versions.node, path: process.execPath };
}

// A command looks several times, and each start of a Node takes 100 ms of processor time.
const runtimes = new Map<string, Promise<Node | undefined>>();

function runtimeOf(program: string | undefined, env: Env): Promise<Node | undefined> {
  if (program === undefined) return Promise.resolve(undefined);
  const key = JSON.stringify([program, statSync(program, { throwIfNoEntry: false })?.mtimeMs, env]);
  const known = runtimes.get(key) ?? startedRuntime(program, env);
  runtimes.set(key, known);
  return known;
}

async function startedRuntime(program: string, env: Env): Promise<Node | undefined> {
  try {
    const words = ["-p", "JSON.stringify({ version: process.versions.node, path: process.execPath })"];
    const { stdout } = await run(program, words, { env, timeout: PATIENCE_MS, shell: program.endsWith(".cmd") });
    return JSON.parse(stdout);
  } catch {
    return undefined; // It does not start, or is no Node: as good as none.
  }
}

/** @param least major and minor. */
export function isAtLeast(version: string, least: string): boolean {
  const [[major = 0, minor = 0], [leastMajor = 0, leastMinor = 0]] = [numbersOf(version), numbersOf(least)];
  return major === leastMajor ? minor >= leastMinor : major > leastMajor;
}

const numbersOf = (version: string): number[] => version.split(".").map(Number);
