import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { Damaged } from "./backups/copy.ts";
import { SearchPool } from "./search/pool.ts";

// A look through a file takes ten milliseconds for each megabyte: what is small, or was left by a crash, is looked
// through before it is opened, anything larger after, in a thread, and until then nothing is written to it.
const ALWAYS_UP_TO_BYTES = 8 * 1024 * 1024;
const AFTER_CRASH_UP_TO_BYTES = 256 * 1024 * 1024;
const PATIENCE_MS = 3_600_000;

/** Whether a file is looked through before it is opened. */
export function isVettedFirst(path: string, isAfterCrash = false): boolean {
  return statSync(path).size <= (isAfterCrash ? AFTER_CRASH_UP_TO_BYTES : ALWAYS_UP_TO_BYTES);
}

/** Throws `Damaged` for a file that is not whole, over a connection that can change nothing. */
export function vet(path: string): void {
  if (statSync(path).size === 0) return;
  const db = new Database(path, { readonly: true });
  try {
    const verdict = String(db.pragma("integrity_check(1)", { simple: true }));
    if (verdict !== "ok") throw new Damaged(`damaged: ${verdict.slice(0, 200)}`);
  } finally {
    db.close();
  }
}

export interface Vetting {
  /** Rejects with an error of code `SQLITE_CORRUPT`, or with another one where the file could not be looked through. */
  readonly done: Promise<unknown>;
  stop(): Promise<void>;
}

/** The same in a thread of its own, for a file that takes its time. */
export function vetBeside(path: string): Vetting {
  const pool = new SearchPool({ path, threads: 1, timeoutMs: PATIENCE_MS });
  const stop = () => pool.close();
  return { done: pool.ask("vet", {}).finally(stop), stop };
}

/** A log that nobody has open was left by a process that did not close. */
export const hasLog = (path: string): boolean => existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
