import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@chest/runtime/make-folder";

// A backend that hangs would cost each event its whole time budget.
const PAUSE_MS = 30_000;

const fileOf = (dataDir: string): string => join(dataDir, "hooks", "paused");

/** Whether this backend let an event time out recently. */
export function isPaused(dataDir: string, place: string): boolean {
  const file = fileOf(dataDir);
  try {
    return Date.now() - statSync(file).mtimeMs < PAUSE_MS && readFileSync(file, "utf8") === place;
  } catch {
    return false; // None was ever that slow.
  }
}

/** Makes the next events skip the backend. */
export function pause(dataDir: string, place: string): void {
  const file = fileOf(dataDir);
  makeFolder(dirname(file));
  writeFileSync(file, place, { mode: 0o600 });
}
