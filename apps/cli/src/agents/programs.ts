import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Env } from "@chest/runtime";

const run = promisify(execFile);
const PATIENCE_MS = 20_000;

/** Where a program lies on the path; undefined where it is not. */
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

/**
 * What an agent shall start our programs with: `node` where that is one an agent finds, and new enough; else this very
 * Node. A package runner's own folders are on the path only while it runs.
 */
export async function agentNode(env: Env, leastMajor: number): Promise<string> {
  const PATH = (env.PATH ?? "")
    .split(delimiter)
    .filter((place) => !/[/\\](node_modules|_npx)[/\\]/.test(`${place}/`))
    .join(delimiter);
  const found = await versionOf(findProgram("node", { ...env, PATH }), { ...env, PATH });
  return Number.parseInt(found ?? "0", 10) >= leastMajor ? "node" : process.execPath;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
