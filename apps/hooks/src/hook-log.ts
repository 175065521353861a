import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, statSync, unlinkSync } from "node:fs";
import { type HookRun, hookLogFile, hookLogLine, olderHookLogFile } from "@chest/runtime/hook-log";

const MAX_BYTES = 1_048_576;
const STALE_LOCK_MS = 60_000;

/** Adds a line to the log of a data folder; one of a mebibyte makes way. A log that cannot be written is none. */
export function addToLog(dataDir: string, run: HookRun): void {
  const file = hookLogFile(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (sizeOf(file) >= MAX_BYTES) rotate(file, olderHookLogFile(dataDir));
    appendFileSync(file, hookLogLine(run), { mode: 0o600 });
  } catch {
    // A full disk, a folder of somebody else: the prompt goes on.
  }
}

/** One of many that come at once renames it; the others go on writing to it wherever it is. */
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
