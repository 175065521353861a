import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse, resolve } from "node:path";
import { globOf, namesOf } from "@chest/core";
import type { Env } from "@chest/runtime";
import { isOff } from "./settings.ts";

/**
 * How far the hooks go in a folder. `all`: they show memories and note sessions. `show`: they show memories and note
 * nothing. `none`: they do neither.
 */
export type HookReach = "all" | "show" | "none";

/** File that keeps the folder it lies in, and all below, out of Chest. */
const MARKER = ".chest-off";

/** Reads how far the hooks go: by a marker file in the folder or above it, a list of projects and folders, or a switch. */
export function reachOf(folder: string, project: string | undefined, env: Env): HookReach {
  const marker = markerAt(folder);
  if (marker === "" || isListed(folder, project, env.CHEST_EXCLUDE)) return "none";
  return marker === undefined && !isOff(env.CHEST_CAPTURE) ? "all" : "show";
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

/** Whether a list names the project by its key, or a folder at or above this one. Both may hold `*`. */
function isListed(folder: string, project: string | undefined, list = ""): boolean {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)
    .some((each) => {
      const path = each.startsWith("~") ? join(homedir(), each.slice(1)) : each;
      const matches = globOf(path);
      if (!isAbsolute(path)) return project !== undefined && matches(namesOf(project));
      for (let at = resolve(folder); ; at = dirname(at)) {
        if (matches(namesOf(at))) return true;
        if (at === parse(at).root) return false;
      }
    });
}
