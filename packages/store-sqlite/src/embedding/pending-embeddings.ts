import { identityParts, isSameIdentity, type Space } from "@chest/core";
import type { Lacking, PendingAsk, PendingCounts, PendingPage } from "@chest/store/embedding/lacking";
import type { Reading } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";
import { HAS_VECTOR } from "./identities.ts";

/** Counts in the connection at hand, each time. */
export function pendingCounts(connection: Reading): PendingCounts {
  return {
    async count(spaces, lacking) {
      const { index, sql, values } = lackingSql(lacking);
      const row = connection.get<{ n: number }>(
        `SELECT count(*) AS n FROM memories m ${index} WHERE m.space IN (SELECT value FROM json_each(?)) AND ${sql}`,
        JSON.stringify(spaces),
        ...values,
      );
      return row?.n ?? 0;
    },
  };
}

const FEW = 200;

/** The same where they are few; undefined where they are more, or no index holds them. */
export function countFew(connection: Reading, spaces: readonly Space[], lacking: Lacking): number | undefined {
  if (!isSameIdentity(lacking.identity, lacking.active)) return undefined;
  const { index, sql } = lackingSql(lacking);
  const row = connection.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM memories m ${index}
       WHERE m.space IN (SELECT value FROM json_each(?)) AND ${sql} LIMIT ${FEW + 1})`,
    JSON.stringify(spaces),
  );
  return row && row.n <= FEW ? row.n : undefined;
}

/** The next rows above a cursor. One space at a time: in its part of the index they stand by id already. */
export async function pendingPage(
  connection: Reading,
  { lacking, cursor, limit, spaces }: PendingAsk,
): Promise<PendingPage> {
  const { index, sql, values } = lackingSql(lacking);
  const next = `SELECT m.id FROM memories m ${index} WHERE m.space = ? AND m.id > ? AND ${sql} ORDER BY m.id LIMIT ?`;
  const ids = spaces
    .flatMap((space) => connection.all<{ id: number }>(next, space, cursor, ...values, limit))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .slice(0, limit);
  const rows = connection.all<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM}
     WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id`,
    JSON.stringify(ids),
  );
  const remaining = await pendingCounts(connection).count(spaces, lacking);
  return { memories: rows.map(toMemory), remaining };
}

/**
 * SQL condition of a live memory `m` without a vector of an identity, and the index to read it by: left to itself SQLite takes
 * the larger `memories_listed`, and then every row.
 */
export function lackingSql({ identity, active }: Lacking) {
  if (isSameIdentity(identity, active)) {
    const sql = "m.archived_at IS NULL AND m.embedding_status = 'pending'";
    return { index: "INDEXED BY memories_pending", sql, values: [] };
  }
  return { index: "", sql: `m.archived_at IS NULL AND NOT ${HAS_VECTOR}`, values: identityParts(identity) };
}
