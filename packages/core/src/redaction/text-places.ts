/** A column with user text. The engines use the same tables and columns. */
export interface TextPlace {
  readonly field: string;
  readonly table: string;
  readonly column: string;
  /** SQL for the id of the row's memory; `NULL` for none. */
  readonly memory: string;
  /** The column is JSON: each string is cleaned separately. */
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

/** All columns with user text, except the text index, which is derived from them. */
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
  beside("inbox_notes", "reason", "note of the inbox"),
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

/** Tables whose rows have a note of the projects that they lay in before a join. */
export const NOTED_FORMER = [
  "memories",
  "sessions",
  "session_snapshots",
  "work_items",
  "gaps",
  "injections",
  "project_aliases",
  "session_file_edits",
  "tombstones",
] as const;

/** Names that people give and programs use: a change of one changes it everywhere. */
export const NAME_PLACES: readonly TextPlace[] = [
  alone("projects", "key", "project"),
  alone("project_aliases", "key", "project"),
  ...NOTED_FORMER.map((table) => alone(table, "joined_from", "former project")),
  alone("projects", "display_name", "project"),
  alone("tokens", "label", "token"),
  alone("sessions", "id", "session id"),
  ofMemory("session_id", "session id"),
  alone("session_file_edits", "session_id", "session id"),
  alone("session_snapshots", "session_id", "session id"),
];
