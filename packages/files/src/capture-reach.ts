import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, parse, relative, resolve } from "node:path";
import { projectKeyOf, repositoryKeyOf } from "@chest/core/access";
import { globOf, namesOf } from "@chest/core/triggers";
import { findRepository } from "./git-head.ts";
import type { ProjectKeys } from "./project.ts";

/**
 * How far Chest goes in a folder by itself. `all`: hooks show memories, and sessions are noted. `show`: hooks show
 * memories, nothing is noted. `none`: neither.
 */
export type CaptureReach = "all" | "show" | "none";

/** Settings by which a folder is kept out. */
export interface CaptureSettings {
  readonly CHEST_CAPTURE?: string | undefined;
  readonly CHEST_EXCLUDE?: string | undefined;
}

/** File that keeps the folder it lies in, and all below, out of Chest. */
const MARKER = ".chest-off";

/** Whether a setting says no. */
export const isOff = (text: string | undefined): boolean => /^(?:0|off|false|no|none)$/i.test(text?.trim() ?? "");

/** Reads how far Chest goes: by a marker file in the folder or above it, a list of projects and folders, or a switch. */
export function reachOf(folder: string, project: ProjectKeys | undefined, settings: CaptureSettings): CaptureReach {
  const paths = pathsOf(folder);
  const markers = paths.map(markerAt);
  if (markers.includes("") || isListed(paths, project, settings.CHEST_EXCLUDE)) return "none";
  return markers.every((marker) => marker === undefined) && !isOff(settings.CHEST_CAPTURE) ? "all" : "show";
}

/**
 * Paths of a folder: as it is named, as the file system has it behind symbolic links, and, in a worktree, the same folder in
 * the main repository. What is kept out by one of them is kept out.
 */
function pathsOf(folder: string): string[] {
  const named = resolve(folder);
  const real = realPathOf(named);
  return [...new Set([named, real, ...[named, real].flatMap(inMainRepository)])];
}

/** The folder of the main repository for a folder in one of its worktrees. */
function inMainRepository(path: string): string[] {
  const repository = findRepository(path);
  if (!repository || repository.folder === repository.common) return [];
  const { top, common } = repository;
  const main = basename(common).startsWith(".") ? dirname(common) : common;
  return [main, realPathOf(main)].map((each) => join(each, relative(top, path)));
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // It is gone, or was never on this machine.
  }
}

/** Words of the nearest marker: `capture` leaves the showing on. Undefined where there is none. */
function markerAt(folder: string): string | undefined {
  for (const at of upwardsFrom(folder)) {
    const file = join(at, MARKER);
    if (lstatSync(file, { throwIfNoEntry: false })) return /\bcapture\b/i.test(read(file)) ? "capture" : "";
  }
  return undefined;
}

/** A folder and all above it, up to the root. */
export function* upwardsFrom(folder: string): Iterable<string> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    yield at;
    if (at === parse(at).root) return;
  }
}

function read(file: string): string {
  try {
    // Editors of Windows write two bytes a letter.
    return readFileSync(file, "utf8").replaceAll("\0", "");
  } catch {
    return ""; // It is there, and says by that what it has to say.
  }
}

/** Whether a list names the project by one of its keys, in whichever spelling, or a folder at or above one of these. Both may hold `*`. */
function isListed(folders: readonly string[], project: ProjectKeys | undefined, list = ""): boolean {
  const keys = [project?.key, project?.written].filter((key) => key !== undefined);
  return entriesOf(list).some((each) => {
    const path = /^~(?:[/\\]|$)/.test(each) ? join(homedir(), each.slice(1)) : each;
    if (!isAbsolute(path)) {
      const [asWritten, inOneSpelling] = [globOf(path), globOf(repositoryKeyOf(projectKeyOf(path)))];
      return keys.some((key) => asWritten(namesOf(key)) || inOneSpelling(namesOf(repositoryKeyOf(key))));
    }
    const globs = [path, withRealFolder(path)].map(globOf);
    return folders.some((folder) =>
      [...upwardsFrom(folder)].some((at) => globs.some((matches) => matches(namesOf(at)))),
    );
  });
}

/** A path whose part before the first name with a `*` is as the file system has it behind symbolic links. */
function withRealFolder(path: string): string {
  const wild = path.search(/[*?]/);
  const end = wild < 0 ? path.length : path.lastIndexOf("/", wild) + 1;
  return end === 0 ? path : join(realPathOf(path.slice(0, end)), path.slice(end));
}

/** Entries of a list, which stand between commas or on lines, as they are or in quotes. */
const entriesOf = (list: string): string[] =>
  list
    .split(/[,\r\n]/)
    .map((each) => each.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter(Boolean);
