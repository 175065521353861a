import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import type { Env } from "@chest/runtime";

const run = promisify(execFile);
const PATIENCE_MS = 20_000;

/** Finds a program on the path; undefined when it is absent. */
export function findProgram(name: string, env: Env): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const places = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return places.flatMap((place) => endings.map((ending) => join(place, name + ending))).find(canRun);
}

/** The version that a program states; undefined for one that states none. */
export async function versionOf(program: string | undefined, env: Env): Promise<string | undefined> {
  if (program === undefined) return undefined;
  try {
    const options = { env, timeout: PATIENCE_MS, shell: program.endsWith(".cmd") };
    const { stdout } = await run(program, ["--version"], options);
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  } catch {
    return undefined; // It does not start: as good as none.
  }
}

/** The path without a package runner's own folders, which are on it only while it runs. */
export const lastingPath = ({ PATH = "" }: Env): string =>
  PATH.split(delimiter)
    .filter((place) => !/[/\\](node_modules|_npx)[/\\]/.test(`${place}/`))
    .join(delimiter);

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

/** This Node by the path it was started with, which outlives the folder of its version that it may lead to. */
export function thisNode(): string {
  const { argv0, execPath } = process;
  return isAbsolute(argv0) && existsSync(argv0) && realpathSync(argv0) === execPath ? argv0 : execPath;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
