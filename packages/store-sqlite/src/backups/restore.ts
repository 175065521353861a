import { constants, existsSync, statSync } from "node:fs";
import { chmod, copyFile, link, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { CannotOpen } from "@chest/core/ports";
import Database from "better-sqlite3";
import { type Contents, readContents, sha256Of } from "../database/copy-database.ts";
import { giveFile, makeFolder, touchFile } from "../database/create-file.ts";
import { hasLog } from "../database/file-size.ts";
import { faultsOf } from "../database/integrity-faults.ts";
import { appliedTo, due, readMigrations } from "../database/migrations.ts";
import { Damaged, sqliteCode } from "../database/sqlite-errors.ts";
import { readManifest } from "../store-file/backup-manifest.ts";
import { OpeningLock } from "../store-file/schema-lock.ts";
import { flushFolder } from "./make.ts";

export interface RestoreRequest {
  /** Path of the store. */
  readonly path: string;
  /** Backup to restore. */
  readonly from: string;
  /** Only checks whether the restore would work. */
  readonly isCheck?: boolean;
}

export interface Restored {
  /** Number of memories in the replaced store; undefined if there was none, or it cannot be read. */
  readonly rowsBefore: number | undefined;
  readonly rowsAfter: number;
  readonly schema: string;
  /** New path of the replaced store; undefined if none was replaced. */
  readonly keptOld: string | undefined;
}

/**
 * Replaces a store that no process has open by a backup. The backup is first copied beside it and checked; the old
 * store is kept under another name. Throws `CannotOpen` and leaves the store unchanged if that fails.
 */
export async function restoreStore({ path, from, isCheck = false }: RestoreRequest): Promise<Restored> {
  const source = resolve(from);
  if (!existsSync(source))
    throw new CannotOpen(`there is no file \`${source}\``, "`chest-index backup --list` lists the backups");
  if (statSync(source).isDirectory())
    throw new CannotOpen(`\`${source}\` is a folder`, "name a file in it: `chest-index backup --list` lists them");
  if (source === resolve(path)) throw new CannotOpen("that is the store itself", "name a backup of it");
  const isThere = existsSync(path) && statSync(path).size > 0;
  const isLogAlone = !isThere && hasLog(path);
  makeFolder(dirname(path));
  const lock = new OpeningLock(path);
  const beside = `${path}.restoring`;
  try {
    if (!(await lock.take())) throw inUse(path);
    const contents = await bringBeside(source, beside, modelFor(path));
    const rowsBefore = isThere ? countBefore(path) : undefined;
    const rowsAfter = contents.rows.memories ?? 0;
    if (isCheck) return { rowsBefore, rowsAfter, schema: contents.schema, keptOld: undefined };
    if (rowsBefore !== undefined) foldLog(path);
    const keptOld = isThere || isLogAlone ? await keepOld(path) : undefined;
    await rename(beside, path);
    await flushFolder(dirname(path));
    return { rowsBefore, rowsAfter, schema: contents.schema, keptOld };
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(beside + suffix, { force: true });
    lock.release();
  }
}

/**
 * File or folder whose owner the store gets: the replaced file, otherwise its folder, even if root left a file there.
 */
const modelFor = (path: string): string =>
  (statSync(path, { throwIfNoEntry: false })?.uid ?? 0) === 0 ? dirname(path) : path;

/** Makes a checked copy in the store's folder, with the owner of `model`, so that one rename puts it in place. */
async function bringBeside(source: string, beside: string, model: string): Promise<Contents> {
  await assertRoom(source, beside);
  await rm(beside, { force: true }); // Left by a restore that was killed, perhaps of another user.
  touchFile(beside);
  await copyFile(source, beside, constants.COPYFILE_FICLONE);
  await chmod(beside, 0o600);
  giveFile(beside, model); // A copy has the owner of what it is of.
  // A manually copied file may have its last writes in a log beside it.
  if (existsSync(`${source}-wal`)) await copyFile(`${source}-wal`, `${beside}-wal`);
  const about = await readManifest(source);
  if (about && about.sha256 !== (await sha256Of(beside))) {
    throw new CannotOpen(
      `${basename(source)} is not the file that its manifest is about: it was changed or cut off`,
      "take another one: `chest-index backup --list`",
    );
  }
  const contents = sound(source, beside);
  const differs = about && Object.entries(about.rows).find(([table, rows]) => contents.rows[table] !== rows);
  if (differs) {
    throw new CannotOpen(
      `${basename(source)} has ${contents.rows[differs[0]] ?? "no"} rows in ${differs[0]}, its manifest says ${differs[1]}`,
      "take another one: `chest-index backup --list`",
    );
  }
  return contents;
}

async function assertRoom(source: string, beside: string): Promise<void> {
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(source), statfs(dirname(beside))]);
  if (bavail * bsize > size) return;
  throw new CannotOpen(
    `${dirname(beside)} has no room for ${Math.ceil(size / 1_048_576)} MB more`,
    "free some space: the old store is kept beside the restored one",
  );
}

function sound(source: string, beside: string): Contents {
  try {
    const contents = readContents(beside);
    const db = new Database(beside, { readonly: true });
    try {
      due(db, readMigrations(), source);
      if (appliedTo(db).length === 0) {
        throw new CannotOpen(`${source} holds no store`, "take another one: `chest-index backup --list`");
      }
    } finally {
      db.close();
    }
    return contents;
  } catch (error) {
    if (!(error instanceof Damaged) && sqliteCode(error) === undefined) throw error;
    throw new CannotOpen(
      `${source} is damaged, or not an SQLite database (${sqliteCode(error)})`,
      "take another one: `chest-index backup --list`; the store was not changed",
      error,
    );
  }
}

/** Number of memories in the present store; undefined if it is damaged, which may be the reason for the restore. */
function countBefore(path: string): number | undefined {
  try {
    const db = new Database(path, { readonly: true });
    try {
      // The same check as at a start, because `quick_check` accepts an index that differs from its rows.
      if (faultsOf(db, 1).length > 0) return undefined;
      return Number(db.prepare("SELECT count(*) FROM memories").pluck().get());
    } finally {
      db.close();
    }
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Writes the log into a sound store, so that the kept file is complete. */
function foldLog(path: string): void {
  const db = new Database(path, { fileMustExist: true });
  try {
    db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** Hard-links the old file first, so that the store's name exists at every moment. Its log is moved too. */
async function keepOld(path: string): Promise<string> {
  const kept = `${path}.replaced-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  const isThere = existsSync(path);
  if (isThere) {
    await link(path, kept).catch(() => copyFile(path, kept, constants.COPYFILE_FICLONE)); // Not every disk knows links.
  }
  const log = await stat(`${path}-wal`).catch(() => undefined);
  if (log && log.size > 0) await rename(`${path}-wal`, `${kept}-wal`);
  for (const suffix of ["-wal", "-shm"]) await rm(path + suffix, { force: true });
  return isThere ? kept : `${kept}-wal`;
}

const inUse = (path: string) =>
  new CannotOpen(
    `another process has ${path} open`,
    "stop the backend, and every other process that opens this store; then run it again",
  );
