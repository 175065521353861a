import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CannotOpen } from "@chest/core/ports";
import Database from "better-sqlite3";
import { sqliteCode } from "../database/sqlite-errors.ts";

/** A database of another program, opened for reading. */
export interface ForeignFile {
  readonly db: Database.Database;
  close(): void;
}

/**
 * @param scratch folder for a temporary copy, if the file's own folder cannot be written
 * @param owner program that the database should belong to
 */
export function openForeign(path: string, scratch: string, owner = "1.5"): ForeignFile {
  try {
    return open(path);
  } catch (error) {
    const code = sqliteCode(error) ?? "not a file";
    // A read-only folder cannot take the shared-memory index that a log needs, so a copy is read.
    if (/^SQLITE_(CANTOPEN|READONLY)/.test(code) && statSync(path).isFile()) return openCopy(path, scratch);
    throw new CannotOpen(
      `${path} cannot be read as an SQLite database (${code})`,
      `name the database file of ${owner}`,
      error,
    );
  }
}

function open(path: string): ForeignFile {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    return { db, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

function openCopy(path: string, scratch: string): ForeignFile {
  const folder = mkdtempSync(join(scratch, "chest-import-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "old.db");
    for (const suffix of ["", "-wal"]) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    }
    const { db } = open(copy);
    return {
      db,
      close() {
        db.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
