import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { touchFile } from "../database/create-file.ts";
import { hasLog } from "../database/file-size.ts";

const noteOf = (path: string): string => `${path}.closed`;

/** Size and time of change, to the nanosecond: both stay while the file is not written to. */
function looksOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs}`;
}

/** Notes what the file looks like that the last one to have it open has closed. */
export function noteClosed(path: string): void {
  if (hasLog(path)) return;
  touchFile(noteOf(path));
  writeFileSync(noteOf(path), looksOf(path));
}

/**
 * Whether the file is as it was closed; false after a crash, and where another program wrote to it. Removes the note.
 */
export function takeClosed(path: string): boolean {
  try {
    return readFileSync(noteOf(path), "utf8") === looksOf(path) && !hasLog(path);
  } catch {
    return false; // Nothing is noted.
  } finally {
    rmSync(noteOf(path), { force: true });
  }
}
