import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@chest/runtime/make-folder";

// A backend that hangs costs the whole budget each time it is asked.
const PAUSE_MS = 30_000;

const fileOf = (dataDir: string): string => join(dataDir, "hooks", "paused");

/** Whether this place let an event run out of time a moment ago. */
export function isPaused(dataDir: string, place: string): boolean {
  const file = fileOf(dataDir);
  try {
    return Date.now() - statSync(file).mtimeMs < PAUSE_MS && readFileSync(file, "utf8") === place;
  } catch {
    return false; // None was ever that slow.
  }
}

/** The next events do not wait for it. */
export function pause(dataDir: string, place: string): void {
  const file = fileOf(dataDir);
  makeFolder(dirname(file));
  writeFileSync(file, place, { mode: 0o600 });
}
