import { chmodSync } from "node:fs";
import type { Lease } from "@chest/core/ports";
import Database from "better-sqlite3";
import { touchFile } from "../database/create-file.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";

/**
 * Locks a small SQLite file beside the store, so that one process at a time runs maintenance. The system releases the
 * lock when its holder dies, and it is never lost before.
 * @returns undefined while another process holds it.
 */
export async function takeLease(storePath: string): Promise<Lease | undefined> {
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
    lost: new AbortController().signal,
    async release() {
      if (!db.open) return;
      db.exec("ROLLBACK");
      db.close();
    },
  };
}
