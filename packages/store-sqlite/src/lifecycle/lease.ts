import { chmodSync } from "node:fs";
import type { Lease } from "@chest/core";
import Database from "better-sqlite3";
import { touchFile } from "../database/create-file.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";

/**
 * One maintenance at a time, whoever runs it. The lock of a small SQLite file beside the store: the system frees it when
 * its holder dies, and no number of a process can be mistaken for another's.
 * @returns undefined while somebody holds it.
 */
export function takeLease(storePath: string): Lease | undefined {
  const path = `${storePath}.maintenance`;
  touchFile(path);
  chmodSync(path, 0o600);
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  return {
    release() {
      if (!db.open) return;
      db.exec("ROLLBACK");
      db.close();
    },
  };
}
