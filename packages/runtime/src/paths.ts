import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { StartError } from "./start-error.ts";

/** Default data folder, unless a variable names another. */
export const defaultDataDir = (home = homedir()): string => join(home, ".chest-memory");

/** Makes a folder that only its owner can open, parents included. One that exists keeps its mode. @returns what it made. */
export function ensureFolder(folder: string): readonly string[] {
  try {
    const made = makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return made;
  } catch (error) {
    const { code = "" } = error as { code?: string };
    throw new StartError(`the folder \`${folder}\` cannot be used (${code})`, hintFor(folder, code), error);
  }
}

function hintFor(folder: string, code: string): string {
  if (code === "ENOTDIR" || code === "EEXIST") return "something else has this name: move it, or name another folder";
  if (code === "EROFS") return "it is on a read-only file system: name another folder";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "ENOENT") return "no folder can be created there: name another one";
  const uid = process.getuid?.();
  const owner = existsSync(folder) ? statSync(folder).uid : undefined;
  if (uid === undefined || owner === uid) return "give this account the right to read and write it";
  // A bind mount into a container belongs to the host's user.
  return `this process runs as uid ${uid}: \`chown ${uid} ${folder}\` on the host, or start it as the owner of the folder`;
}
