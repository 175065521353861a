import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { touchFile } from "../database/create-file.ts";
import { hasLog } from "../database/file-size.ts";

const noteOf = (path: string): string => `${path}.closed`;

/** Size and modification time, to the nanosecond, which change with each write. */
function looksOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs}`;
}

/** Records the state of the file at its last close. */
export function noteClosed(path: string): void {
  if (hasLog(path)) return;
  touchFile(noteOf(path));
  writeFileSync(noteOf(path), looksOf(path));
}

/**
 * Whether the file is unchanged since it was closed; false after a crash, or if another program wrote to it. Removes
 * the marker.
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
