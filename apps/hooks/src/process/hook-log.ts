import { appendFileSync, closeSync, openSync, renameSync, statSync, unlinkSync } from "node:fs";
import { type HookRun, hookLogFile, hookLogLine, olderHookLogFile } from "@chest/runtime/hook-log";
import { makeFolder } from "@chest/runtime/make-folder";

const MAX_BYTES = 1_048_576;
const STALE_LOCK_MS = 60_000;

/** Logs the outcome of an event. */
export const addToLog = (dataDir: string, run: HookRun): void => addLine(dataDir, hookLogLine(run));

/** Adds a line to the log; a log of one mebibyte is rotated. Write errors are ignored. */
export function addLine(dataDir: string, line: string): void {
  const file = hookLogFile(dataDir);
  try {
    makeFolder(dataDir);
    if (sizeOf(file) >= MAX_BYTES) rotate(file, olderHookLogFile(dataDir));
    appendFileSync(file, line, { mode: 0o600 });
  } catch {
    // The log cannot be written (disk full, other owner), but the event continues.
  }
}

/** Only one of several concurrent processes renames it; the others continue with the renamed file. */
function rotate(file: string, older: string): void {
  const lock = `${file}.lock`;
  if (ageOf(lock) > STALE_LOCK_MS) unlinkSync(lock);
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    return;
  }
  try {
    if (sizeOf(file) >= MAX_BYTES) renameSync(file, older);
  } finally {
    unlinkSync(lock);
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function ageOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? Date.now() - found.mtimeMs : 0;
}
