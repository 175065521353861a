import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Env } from "./env.ts";

/** The place of a program on the path; undefined where it is not. */
export function findProgram(name: string, env: Env): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const places = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return places.flatMap((place) => endings.map((ending) => join(place, name + ending))).find(canRun);
}

/** The path without a package runner's own folders, which are on it only while it runs. */
export const lastingPath = ({ PATH = "" }: Env): string =>
  PATH.split(delimiter)
    .filter((place) => !/[/\\](node_modules|_npx)[/\\]/.test(`${place}/`))
    .join(delimiter);

/** Whether a path lies in a folder that a package runner (npx, pnpm dlx, bunx) clears by itself. */
export const isRunnersCopy = (path: string): boolean => /[/\\](?:_npx|dlx|bunx-[^/\\]*)[/\\]/.test(path);

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
