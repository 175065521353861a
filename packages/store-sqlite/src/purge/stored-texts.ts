import type { StoredText } from "@chest/core";
import type { Connection } from "../database/connection.ts";

interface TextColumn {
  readonly field: string;
  readonly table: string;
  readonly column: string;
  /** Which memory a row is of; `NULL` for none. */
  readonly memory: string;
  /** Texts in JSON: cleaned one by one, so that what is around them stays what it is. */
  readonly isJson?: true;
}

const ofMemory = (column: string, field = column): TextColumn => ({ field, table: "memories", column, memory: "id" });
const beside = (table: string, column: string, field: string): TextColumn => ({
  field,
  table,
  column,
  memory: "memory_id",
});
const alone = (table: string, column: string, field: string): TextColumn => ({ field, table, column, memory: "NULL" });
const inJson = (place: TextColumn): TextColumn => ({ ...place, isJson: true });

/** Everywhere that words of users stand, besides the text index, which is made of them. */
export const TEXT_PLACES: readonly TextColumn[] = [
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
  alone("file_facts", "fact", "fact"),
];

/** Names that people give and programs go by: whoever changes one changes it everywhere. */
const NAME_PLACES: readonly TextColumn[] = [
  alone("projects", "key", "project"),
  alone("projects", "display_name", "project"),
  alone("tokens", "label", "token"),
  alone("sessions", "id", "session id"),
  ofMemory("session_id", "session id"),
  alone("session_file_edits", "session_id", "session id"),
  alone("session_snapshots", "session_id", "session id"),
];

const PAGE = 500;

/** Shows every stored text, a page at a time, so that a process that serves meanwhile goes on. */
export async function visitTexts(connection: Connection, look: (text: StoredText) => void): Promise<void> {
  for (const { field, table, column, memory } of [...TEXT_PLACES, ...NAME_PLACES]) {
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

const keyOf = (connection: Connection, table: string): string =>
  connection
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
    .map(({ name }) => name)
    .join(", ");
