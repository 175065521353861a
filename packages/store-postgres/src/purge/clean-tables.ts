import type { Left } from "@chest/store/purge/purge";
import type { Connections } from "../database/connection.ts";

/** Tables whose dead rows hold what was taken away, until they are cleaned. */
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
  ...["entities", "sessions", "session_file_edits", "session_snapshots", "injections", "idempotency"],
  ...["projects", "project_aliases", "tokens", "work_items", "gaps"],
];

/**
 * Removes dead rows. The write-ahead log, replicas that lag and backups of the database keep them until their own time is
 * over, so that no log is ever called clean.
 */
export async function cleanTables(connections: Connections): Promise<Left> {
  await connections.script(`VACUUM ${CLEANED.join(", ")}`);
  return {
    backups: [],
    isLogClean: false,
    // No statement reaches these: they end by the settings of the server and its provider.
    keptBy: ["the write-ahead log and its archive", "replicas until they have caught up", "backups and snapshots"],
  };
}
