import { readdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Files in the folder of backups that hold one of these memories, or cannot be looked into. */
export async function backupsHolding(folder: string, uids: readonly string[]): Promise<string[]> {
  if (uids.length === 0) return [];
  const names = await readdir(folder).catch(() => []); // Nothing was ever backed up.
  return names
    .filter((name) => /\.db(?:\.\w+)?$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => mayHold(file, JSON.stringify(uids)));
}

function mayHold(file: string, uids: string): boolean {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return (
        db.prepare("SELECT 1 FROM memories WHERE uid IN (SELECT value FROM json_each(?)) LIMIT 1").get(uids) !==
        undefined
      );
    } finally {
      db.close();
    }
  } catch {
    return true; // What cannot be opened may hold anything: better named than passed over.
  }
}
