import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, posix, win32 } from "node:path";
import type { Env } from "./env.ts";

const pathsOf = (platform: NodeJS.Platform) => (platform === "win32" ? win32 : posix);

/** The folders that programs are looked for in. Windows calls the variable `Path`, and a copy of the environment keeps that. */
function searchPath(env: Env): string {
  return env.PATH ?? Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
}

/** Places at which a program may lie, in the order in which they are looked at. */
export function programPlaces(name: string, env: Env, platform: NodeJS.Platform = process.platform): string[] {
  const { delimiter, join } = pathsOf(platform);
  const endings = platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const folders = searchPath(env).split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
}

/** The place of a program on the path; undefined where it is not. */
export const findProgram = (name: string, env: Env): string | undefined => programPlaces(name, env).find(canRun);

/** The path without a package runner's own folders, which are on it only while it runs. */
export function lastingPath(env: Env, platform: NodeJS.Platform = process.platform): string {
  const { delimiter } = pathsOf(platform);
  return searchPath(env)
    .split(delimiter)
    .filter((place) => !/[/\\](node_modules|_npx)[/\\]/.test(`${place}/`))
    .join(delimiter);
}

/** Whether a path lies in a folder that a package runner (npx, pnpm dlx, bunx) clears by itself. */
export const isRunnersCopy = (path: string): boolean => /[/\\](?:_npx|dlx|bunx-[^/\\]*)[/\\]/.test(path);

/** Folder of the data folder in which setup keeps what a package runner would clear. */
export const keptProgramsIn = (dataDir: string): string => join(dataDir, "bin", "client");

/** A program of ours as it is kept there. */
export const keptProgram = (dataDir: string, name: string): string =>
  join(keptProgramsIn(dataDir), "node_modules", "chest-memory", "dist", name);

/**
 * Path that this Node was started with. Unlike the real path it survives an update, which removes the version's folder.
 */
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
