import type { PurgeRemainder } from "@chest/store/purge/purge";
import type { Connections } from "../database/connection.ts";

/** Tables whose dead rows contain purged texts until they are vacuumed. */
const CLEANED = [
  ...[
    "memories",
    "memory_text",
    "postings",
    "memory_tags",
    "memory_versions",
    "memory_links",
    "memory_files",
    "memory_sources",
    "vectors",
    "coarse_vectors",
  ],
  ...["entities", "sessions", "session_file_edits", "session_snapshots", "injections", "inbox_notes", "idempotency"],
  ...["projects", "project_aliases", "tokens", "work_items", "gaps"],
];

/**
 * Removes dead rows. The write-ahead log, lagging replicas and backups keep them for their own retention, so the log
 * never counts as clean.
 */
export async function cleanTables(connections: Connections): Promise<PurgeRemainder> {
  await connections.script(`VACUUM ${CLEANED.join(", ")}`);
  return {
    backups: [],
    isLogClean: false,
    // No statement reaches these: they expire by the settings of the server and its provider.
    keptBy: ["the write-ahead log and its archive", "replicas until they have caught up", "backups and snapshots"],
  };
}
