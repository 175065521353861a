import type { Row } from "@chest/core/ports";

/** A table to move, after the tables that it refers to. */
export interface Moved {
  readonly name: string;
  /** Columns that are filled later, or computed. */
  readonly without?: readonly string[];
  /** Every new database has rows of this table. */
  readonly isSeeded?: true;
}

export const TABLES: readonly Moved[] = [
  { name: "members", isSeeded: true },
  ...["tokens", "oauth_records", "webhooks", "projects", "project_members", "project_aliases"].map(named),
  ...["entities", "entity_aliases", "sessions", "embedding_identities"].map(named),
  // The successor of a memory may have a later id.
  { name: "memories", without: ["superseded_by_id"] },
  ...["vectors", "vectors_uncompared", "memory_tags", "memory_files", "memory_links", "memory_versions"].map(named),
  ...[
    "memory_sources",
    "memory_access_log",
    "memory_activation",
    "events",
    "session_file_edits",
    "injections",
    "inbox_notes",
  ].map(named),
  ...["session_snapshots", "work_items", "gaps", "file_snapshots", "consolidations", "idempotency", "audit_log"].map(
    named,
  ),
  ...["purged", "maintenance_runs", "maintenance_changes", "confidence_changes", "tombstones", "store_secrets"].map(
    named,
  ),
];

function named(name: string): Moved {
  return { name };
}

/** Id of the memory in a stored answer: purging the memory deletes the answer. */
export function memoryOfAnswer(row: Row): number | null {
  try {
    const { memory_id } = JSON.parse(String(row.answer)) as { memory_id?: unknown };
    return typeof memory_id === "number" ? memory_id : null;
  } catch {
    return null;
  }
}
