import type { Connection, Reading } from "./connection.ts";
import { sqliteCode } from "./sqlite-errors.ts";

/**
 * Reads committed rows. Each commit invalidates the page caches of other connections, so the writing connection is
 * used, except during a transaction with uncommitted changes. Unlike the reader it does not wait for locks: if another
 * process has locked the file, the reader is used.
 */
export function committed(reader: Connection, writing: Connection): Reading {
  function asking<T>(ask: (connection: Connection) => T): T {
    if (writing.db.inTransaction) return ask(reader);
    try {
      return ask(writing);
    } catch (error) {
      if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
      return ask(reader);
    }
  }
  return {
    get: (sql, ...values) => asking((connection) => connection.get(sql, ...values)),
    all: (sql, ...values) => asking((connection) => connection.all(sql, ...values)),
    ids: (sql, ...values) => asking((connection) => connection.ids(sql, ...values)),
  };
}
