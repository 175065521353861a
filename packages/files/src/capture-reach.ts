import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse, resolve } from "node:path";
import { projectKeyOf, repositoryKeyOf } from "@chest/core/access";
import { globOf, namesOf } from "@chest/core/triggers";
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
  const marker = markerAt(folder);
  if (marker === "" || isListed(folder, project, settings.CHEST_EXCLUDE)) return "none";
  return marker === undefined && !isOff(settings.CHEST_CAPTURE) ? "all" : "show";
}

/** Words of the nearest marker: `capture` leaves the showing on. Undefined where there is none. */
function markerAt(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, MARKER);
    if (statSync(file, { throwIfNoEntry: false })) return /\bcapture\b/i.test(read(file)) ? "capture" : "";
    if (at === parse(at).root) return undefined;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // It is there, and says by that what it has to say.
  }
}

/** Whether a list names the project by one of its keys, in whichever spelling, or a folder at or above this one. Both may hold `*`. */
function isListed(folder: string, project: ProjectKeys | undefined, list = ""): boolean {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)
    .some((each) => {
      const path = each.startsWith("~") ? join(homedir(), each.slice(1)) : each;
      const matches = globOf(path);
      if (!isAbsolute(path)) {
        const inOneSpelling = globOf(repositoryKeyOf(projectKeyOf(path)));
        return [project?.key, project?.written].some(
          (key) => key !== undefined && (matches(namesOf(key)) || inOneSpelling(namesOf(repositoryKeyOf(key)))),
        );
      }
      for (let at = resolve(folder); ; at = dirname(at)) {
        if (matches(namesOf(at))) return true;
        if (at === parse(at).root) return false;
      }
    });
}
