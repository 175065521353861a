import type { Census } from "@chest/core";
import type { Connection } from "../database/connection.ts";

/** Counts everything; walks the whole store, so it is for a thread and now and then. */
export function takeCensus(connection: Connection): Census {
  const count = (sql: string): number => connection.get<{ n: number }>(sql)?.n ?? 0;
  return {
    live: count("SELECT count(*) AS n FROM memories WHERE archived_at IS NULL"),
    archived: count("SELECT count(*) AS n FROM memories WHERE archived_at IS NOT NULL AND superseded_by_id IS NULL"),
    superseded: count("SELECT count(*) AS n FROM memories WHERE superseded_by_id IS NOT NULL"),
    unsegmented: count("SELECT count(*) AS n FROM memories WHERE id NOT IN (SELECT memory_id FROM memory_text)"),
    unindexed: count(
      "SELECT count(*) AS n FROM memory_text WHERE memory_id NOT IN (SELECT id FROM memory_fts_docsize)",
    ),
    strayIndexed: count(
      "SELECT count(*) AS n FROM memory_fts_docsize WHERE id NOT IN (SELECT memory_id FROM memory_text)",
    ),
    textRows: count("SELECT count(*) AS n FROM memory_text"),
    entities: count("SELECT count(*) AS n FROM entities"),
    pending: count("SELECT count(*) AS n FROM memories WHERE archived_at IS NULL AND embedding_status = 'pending'"),
    vectors: count("SELECT count(*) AS n FROM vectors"),
    corruptVectors: count(
      `SELECT count(*) AS n FROM vectors JOIN embedding_identities AS i ON i.id = identity_id
       WHERE length(vector) <> 4 * i.dimensions`,
    ),
  };
}
