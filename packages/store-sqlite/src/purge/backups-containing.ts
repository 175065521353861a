import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { sizeOf } from "../database/file-size.ts";

/**
 * Copies of a store that contain one of these memories, or cannot be read: backups, and stores replaced by a restore.
 */
export async function copiesHolding(path: string, backupDir: string, uids: readonly string[]): Promise<string[]> {
  if (uids.length === 0) return [];
  const sought = JSON.stringify(uids);
  const copies = await Promise.all([backupsIn(backupDir), copiesBeside(path)]);
  return copies.flat().filter((file) => mayHold(file, sought));
}

const MANIFEST = ".json";

const backupsIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder))
    .filter((name) => /\.db(?:\.\w+)?$/.test(name) && !name.endsWith(MANIFEST))
    .map((name) => join(folder, name));

/** Replaced stores, and unfinished copies of killed processes. */
async function copiesBeside(path: string): Promise<string[]> {
  const names = await namesIn(dirname(path));
  const isCopy = (name: string) => /^\.(?:replaced-|restoring)/.test(name.slice(basename(path).length));
  const copies = names.filter((name) => name.startsWith(basename(path)) && isCopy(name));
  // A log counts as a copy of its own only if its store is gone.
  const own = copies.filter((name) => !/-(?:wal|shm|journal)$/.test(name) || isAlone(name, names));
  return own.map((name) => join(dirname(path), name));
}

const isAlone = (name: string, names: readonly string[]): boolean =>
  name.endsWith("-wal") && !names.includes(name.slice(0, -"-wal".length));

/** Empty if nothing was ever backed up. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

function mayHold(file: string, uids: string): boolean {
  // Opening an empty file, even for reading, would delete the log beside it.
  if (sizeOf(file) === 0) return sizeOf(`${file}-wal`) > 0;
  const hadLog = sizeOf(`${file}-wal`) > 0;
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return (
        db.prepare("SELECT 1 FROM memories WHERE uid IN (SELECT value FROM json_each(?)) LIMIT 1").get(uids) !==
        undefined
      );
    } finally {
      db.close();
      // A read-only connection may leave these files behind.
      if (!hadLog) for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
    }
  } catch {
    return true; // What cannot be opened may hold anything: better named than passed over.
  }
}
