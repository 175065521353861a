import { readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

// "settings (Anna's conflicted copy 2026-01-02).json", "settings.sync-conflict-20260102-030405-ABCDEFG.json".
const MARK = /^(?: \([^)]*conflict[^)]*\)|\.sync-conflict-\d{8}-\d{6}(?:-\w+)?)$/i;
const MARKED = /(?: \([^)]*conflict[^)]*\)|\.sync-conflict-\d{8}-\d{6}(?:-\w+)?)(?:\.[^.]+)*$/i;

/** Whether a program that syncs folders made this file, because two machines had changed it at once. */
export const isConflictCopy = (name: string): boolean => MARKED.test(name);

/** Conflict copies that lie beside a file. */
export function conflictCopiesOf(path: string): string[] {
  const own = basename(path);
  const end = extname(own);
  const stem = own.slice(0, own.length - end.length);
  const isCopy = (name: string) =>
    name.startsWith(stem) && name.endsWith(end) && MARK.test(name.slice(stem.length, name.length - end.length));
  try {
    return readdirSync(dirname(path))
      .filter((name) => name !== own && isCopy(name))
      .map((name) => join(dirname(path), name));
  } catch {
    return []; // A folder that cannot be listed shows no copies.
  }
}
