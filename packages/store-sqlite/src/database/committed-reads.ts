import type { Connection, Reading } from "./connection.ts";
import { sqliteCode } from "./sqlite-errors.ts";

/**
 * Reads committed rows. A commit makes every other connection forget its cached pages, so the writing connection is
 * asked, except during a transaction, whose changes are not committed. It waits for no lock, as the reader does: where
 * another process holds the file for a moment, that one is asked.
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
