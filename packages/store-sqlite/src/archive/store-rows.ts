import { existsSync } from "node:fs";
import { CannotOpen, type Row, type StoreRows } from "@chest/core/ports";
import { Connection } from "../database/connection.ts";
import { due, MOVED_TO, readMigrations } from "../database/migrations.ts";
import { keyOf } from "../purge/stored-texts.ts";
import { OpeningLock } from "../store-file/schema-lock.ts";

/** Opens the rows of a store, and locks the store until it is closed. */
export async function openStoreRows(path: string): Promise<StoreRows> {
  if (!existsSync(path)) throw new CannotOpen(`there is no store at ${path}`, "name its file");
  const lock = new OpeningLock(path);
  try {
    if (!(await lock.take()))
      throw new CannotOpen(
        `\`${path}\` is open in another process`,
        "stop the backend, and every other process that opens this store",
      );
    const connection = new Connection(path);
    if (due(connection.db, readMigrations(), path, { isMoving: true }).length > 0) {
      connection.close();
      throw new CannotOpen(`${path} is of an older release`, "open it once with this one: `chest-index status`");
    }
    return rowsOf(connection, path, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function rowsOf(connection: Connection, path: string, lock: OpeningLock): StoreRows {
  const isThere = (table: string) =>
    connection.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table) !== undefined;
  return {
    uid: connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'store_uid'")?.value ?? "",
    where: path,
    count: (table) =>
      isThere(table) ? (connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0) : 0,
    *rows(table, skip) {
      if (isThere(table))
        yield* connection.iterate<Row>(
          `SELECT * FROM ${table} ORDER BY ${keyOf(connection, table)} LIMIT -1 OFFSET ?`,
          skip,
        );
    },
    markMoved(to) {
      if (to === undefined) connection.run("DELETE FROM meta WHERE key = ?", MOVED_TO);
      else connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", MOVED_TO, to);
    },
    close() {
      connection.close();
      lock.release();
    },
  };
}
