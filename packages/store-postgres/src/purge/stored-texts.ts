import type { StoredText } from "@chest/core/ports";
import { NAME_PLACES, TEXT_PLACES } from "@chest/core/redaction";
import type { Connections } from "../database/connection.ts";

const PAGE = 500;

/** Visits every stored text, a page at a time, in physical order. */
export async function visitTexts(connection: Connections, look: (text: StoredText) => void): Promise<void> {
  for (const { field, table, column, memory } of [...TEXT_PLACES, ...NAME_PLACES]) {
    const sql = `SELECT ${memory} AS memory_id, ${column} AS text, ctid::text AS place FROM ${table}
      WHERE ${column} IS NOT NULL AND ctid > ?::tid ORDER BY ctid LIMIT ${PAGE}`;
    for (let place = "(0,0)"; ; ) {
      const rows = await connection.all<{ memory_id: number | null; text: string; place: string }>(sql, place);
      for (const row of rows) look({ memoryId: row.memory_id ?? undefined, field, text: row.text });
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      place = last.place;
    }
  }
}
