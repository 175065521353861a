import type { StoredText } from "@chest/core";
import type { Connections } from "../database/connection.ts";

export interface TextPlace {
  readonly field: string;
  readonly table: string;
  readonly column: string;
  /** Which memory a row is of; `NULL` for none. */
  readonly memory: string;
  /** Texts in JSON: cleaned one by one, so that what is around them stays what it is. */
  readonly isJson?: true;
}

const ofMemory = (column: string, field = column): TextPlace => ({ field, table: "memories", column, memory: "id" });
const beside = (table: string, column: string, field: string): TextPlace => ({
  field,
  table,
  column,
  memory: "memory_id",
});
const alone = (table: string, column: string, field: string): TextPlace => ({ field, table, column, memory: "NULL" });
const inJson = (place: TextPlace): TextPlace => ({ ...place, isJson: true });

/** Everywhere that words of users stand, besides what is searched, which is made of them. */
export const TEXT_PLACES: readonly TextPlace[] = [
  ...["content", "title", "name", "source"].map((column) => ofMemory(column)),
  ...["evidence", "attachments", "keywords"].map((column) => inJson(ofMemory(column))),
  inJson(ofMemory('"trigger"', "trigger")),
  inJson(beside("memory_versions", "snapshot", "version")),
  beside("memory_versions", "reason", "version"),
  beside("memory_tags", "tag", "tag"),
  beside("memory_files", "path", "file"),
  beside("memory_sources", "path", "source"),
  { field: "link", table: "memory_links", column: "note", memory: "from_id" },
  beside("session_file_edits", "context_snippet", "snippet"),
  alone("session_snapshots", "body", "snapshot"),
  alone("session_snapshots", "keywords", "snapshot"),
  inJson(alone("sessions", "carry", "session")),
  alone("work_items", "title", "work"),
  alone("work_items", "detail", "work"),
  alone("work_items", "reason", "work"),
  alone("gaps", "question", "question"),
  alone("entities", "name", "entity"),
  alone("entities", "canonical_key", "entity"),
  inJson(alone("entities", "attributes", "entity")),
];

/** Names that people give and programs go by: whoever changes one changes it everywhere. */
const NAME_PLACES: readonly TextPlace[] = [
  alone("projects", "key", "project"),
  alone("projects", "display_name", "project"),
  alone("tokens", "label", "token"),
  alone("sessions", "id", "session id"),
  ofMemory("session_id", "session id"),
  alone("session_file_edits", "session_id", "session id"),
  alone("session_snapshots", "session_id", "session id"),
];

const PAGE = 500;

/** Shows every stored text, a page at a time, in the order in which the rows lie. */
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
