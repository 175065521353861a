import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { Damaged } from "./backups/copy.ts";

// A look through a file takes ten milliseconds for each megabyte: a small one is looked through at every start, a
// larger one only after a crash, and the largest by the daily backup alone.
const ALWAYS_UP_TO_BYTES = 8 * 1024 * 1024;
const AFTER_CRASH_UP_TO_BYTES = 256 * 1024 * 1024;

/** Throws `Damaged` for a file that is not whole, over a connection that can change nothing. */
export function vet(path: string, afterCrash = false): void {
  const { size } = statSync(path);
  if (size === 0 || size > (afterCrash ? AFTER_CRASH_UP_TO_BYTES : ALWAYS_UP_TO_BYTES)) return;
  const db = new Database(path, { readonly: true });
  try {
    const verdict = String(db.pragma("quick_check(1)", { simple: true }));
    if (verdict !== "ok") throw new Damaged(`damaged: ${verdict.slice(0, 200)}`);
  } finally {
    db.close();
  }
}

/** A log that nobody has open was left by a process that did not close. */
export const hasLog = (path: string): boolean => existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
