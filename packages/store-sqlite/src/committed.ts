import type { Connection } from "./connection.ts";
import type { Reading } from "./transaction.ts";

/**
 * What is committed. A commit makes every other connection forget the pages that it holds, so the one that writes is
 * asked, unless it is in the midst of that: its own half of a change is nobody else's yet.
 */
export function committed(reader: Connection, writing: Connection): Reading {
  const connection = (): Connection => (writing.db.inTransaction ? reader : writing);
  return {
    get: (sql, ...values) => connection().get(sql, ...values),
    all: (sql, ...values) => connection().all(sql, ...values),
  };
}
