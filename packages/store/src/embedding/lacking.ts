import type { Space } from "@chest/core/access";
import { identityParts, isSameIdentity } from "@chest/core/embedding";
import type { Memory } from "@chest/core/memory";
import type { EmbeddingIdentity } from "@chest/core/ports";
import type { Reading, SqlValue } from "../database/connection.ts";
import { type Dialect, statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";
import { HAS_VECTOR } from "./identities.ts";

/** Identity whose vector is missing. The status column and its index concern the active identity. */
export interface Lacking {
  readonly identity: EmbeddingIdentity;
  readonly active: EmbeddingIdentity;
}

/** Counts rows in some spaces without a vector. */
export interface PendingCounts {
  count(spaces: readonly Space[], lacking: Lacking): Promise<number>;
}

export interface PendingAsk {
  readonly lacking: Lacking;
  readonly cursor: number;
  readonly limit: number;
  readonly spaces: readonly Space[];
}

export interface PendingPage {
  readonly memories: readonly Memory[];
  readonly remaining: number;
}

/**
 * Condition of a live memory `m` without a vector of an identity, with the index to use: SQLite would choose the larger
 * `memories_listed` and scan every row.
 */
export function lackingSql(
  d: Dialect,
  { identity, active }: Lacking,
): { readonly index: string; readonly sql: string; readonly values: readonly SqlValue[] } {
  if (isSameIdentity(identity, active)) {
    const sql = "m.archived_at IS NULL AND m.embedding_status = 'pending'";
    return { index: d.indexedBy("memories_pending"), sql, values: [] };
  }
  return {
    index: "",
    sql: `m.archived_at IS NULL AND m.embedding_status <> 'none' AND NOT ${HAS_VECTOR}`,
    values: identityParts(identity),
  };
}

/** Counts on this connection each time. */
export const pendingCounts = (connection: Reading): PendingCounts => ({
  count: (spaces, lacking) => countPending(connection, spaces, lacking),
});

/**
 * Counts rows without a vector.
 * @param most stops counting here
 */
export async function countPending(
  connection: Reading,
  spaces: readonly Space[],
  lacking: Lacking,
  most?: number,
): Promise<number> {
  const d = connection.dialect;
  const { index, sql, values } = lackingSql(d, lacking);
  const from = `FROM memories m${index} WHERE ${d.isOneOf("m.space")} AND ${sql}`;
  const counted = most === undefined ? from : `FROM (SELECT 1 ${from} LIMIT ${most}) some_of_them`;
  return (await connection.get<{ n: number }>(`SELECT count(*) AS n ${counted}`, spaces, ...values))?.n ?? 0;
}

const sqlOf = statements((d) => `SELECT ${memoryColumns(d)} ${MEMORY_FROM} WHERE ${d.isOneOf("m.id")} ORDER BY m.id`);

/**
 * A page of memories without a vector.
 * @param ids of the page
 */
export async function pendingPage(
  connection: Reading,
  { spaces, lacking }: PendingAsk,
  ids: readonly number[],
): Promise<PendingPage> {
  const [rows, remaining] = await Promise.all([
    connection.all<MemoryRow>(sqlOf(connection.dialect), ids),
    countPending(connection, spaces, lacking),
  ]);
  return { memories: rows.map(toMemory), remaining };
}
