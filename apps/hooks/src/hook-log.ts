import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** How an event went: codes and counts, and nothing that anybody wrote. */
export interface Account {
  readonly event: string;
  readonly session?: string | undefined;
  readonly ms: number;
  readonly outcome: string;
  readonly code?: string | undefined;
  readonly note?: string | undefined;
}

const MAX_BYTES = 1_048_576;
const STALE_LOCK_MS = 60_000;

/** Adds a line to `hook.log` of the data folder; a file of a mebibyte makes way. A log that cannot be written is none. */
export function logAccount(dataDir: string, { event, session, ms, outcome, code, note }: Account): void {
  const fields = { session, ms: Math.round(ms), outcome, code, note };
  const said = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const file = join(dataDir, "hook.log");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (sizeOf(file) >= MAX_BYTES) rotate(file);
    appendFileSync(file, `${new Date().toISOString()} ${event} ${said.join(" ")}\n`, { mode: 0o600 });
  } catch {
    // A full disk, a folder of somebody else: the prompt goes on.
  }
}

/** One of many that come at once renames it; the others go on writing to it wherever it is. */
function rotate(file: string): void {
  const lock = `${file}.lock`;
  if (ageOf(lock) > STALE_LOCK_MS) unlinkSync(lock);
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    return;
  }
  try {
    if (sizeOf(file) >= MAX_BYTES) renameSync(file, `${file}.1`);
  } finally {
    unlinkSync(lock);
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function ageOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? Date.now() - found.mtimeMs : 0;
}
