import type { StoredText } from "@chest/core/ports";
import { NAME_PLACES, TEXT_PLACES, type TextPlace } from "@chest/core/redaction";
import type { Connection } from "../database/connection.ts";

/** Text columns of earlier releases' tables, which only this engine has. */
export const FORMER_PLACES: readonly TextPlace[] = [
  { field: "fact", table: "file_facts", column: "fact", memory: "NULL" },
];

const PAGE = 500;

/** Visits every stored text, a page at a time, so that other work continues. */
export async function visitTexts(connection: Connection, look: (text: StoredText) => void): Promise<void> {
  for (const { field, table, column, memory } of [...TEXT_PLACES, ...FORMER_PLACES, ...NAME_PLACES]) {
    const order = keyOf(connection, table);
    const sql = `SELECT ${memory} AS memory_id, ${column} AS text FROM ${table}
      WHERE ${column} IS NOT NULL ORDER BY ${order} LIMIT ${PAGE} OFFSET ?`;
    for (let from = 0; ; from += PAGE) {
      const rows = connection.all<{ memory_id: number | null; text: string }>(sql, from);
      for (const row of rows) look({ memoryId: row.memory_id ?? undefined, field, text: row.text });
      if (rows.length < PAGE) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Primary key of a table, which gives its physical order. */
export const keyOf = (connection: Connection, table: string): string =>
  connection
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
    .map(({ name }) => name)
    .join(", ") || "rowid";
