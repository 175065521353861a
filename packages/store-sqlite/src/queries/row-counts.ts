import type { Census } from "@chest/core/ports";
import { countsOf, MEASURED, type RowCounts, SUMMARY } from "@chest/store/queries/row-counts";
import { SQLITE } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";

const ALL = countsOf([...new Set([...SUMMARY, ...MEASURED])]);

/** Counts everything by scanning the whole store, so it runs in a thread and seldom. */
export function takeCensus(connection: Connection): Census {
  const count = (sql: string): number => connection.get<{ n: number }>(sql)?.n ?? 0;
  return {
    ...(connection.get<RowCounts>(ALL) as RowCounts),
    unsegmented: count("SELECT count(*) AS n FROM memories WHERE id NOT IN (SELECT memory_id FROM memory_text)"),
    unindexed: count(
      "SELECT count(*) AS n FROM memory_text WHERE memory_id NOT IN (SELECT id FROM memory_fts_docsize)",
    ),
    strayIndexed: count(
      "SELECT count(*) AS n FROM memory_fts_docsize WHERE id NOT IN (SELECT memory_id FROM memory_text)",
    ),
    corruptVectors: count(
      `SELECT count(*) AS n FROM vectors JOIN embedding_identities AS i ON i.id = identity_id
       WHERE ${SQLITE.lengthOfVector("vector")} <> i.dimensions`,
    ),
  };
}
