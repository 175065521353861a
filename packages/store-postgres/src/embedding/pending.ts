import { identityParts, isSameIdentity, type Memory, type Space } from "@chest/core";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "@chest/store/database/rows";
import type { Lacking, PendingAsk, PendingCounts } from "@chest/store/embedding/lacking";
import type { Reading, Value } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { inSpaces } from "../search/condition.ts";
import { HAS_VECTOR } from "./identities.ts";

/** SQL condition of a live memory `m` without a vector of an identity. */
export function lackingSql({ identity, active }: Lacking): { readonly sql: string; readonly values: readonly Value[] } {
  if (isSameIdentity(identity, active))
    return { sql: "m.archived_at IS NULL AND m.embedding_status = 'pending'", values: [] };
  return { sql: `m.archived_at IS NULL AND NOT ${HAS_VECTOR}`, values: identityParts(identity) };
}

/** Counts in the connection at hand, each time. */
export function pendingCounts(connection: Reading): PendingCounts {
  return { count: (spaces, lacking) => counted(connection, spaces, lacking) };
}

async function counted(connection: Reading, spaces: readonly Space[], lacking: Lacking, most?: number) {
  const place = inSpaces(spaces);
  const { sql, values } = lackingSql(lacking);
  const row = await connection.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM memories m WHERE ${place.sql} AND ${sql} LIMIT ?) some_of_them`,
    ...place.values,
    ...values,
    most ?? null,
  );
  return row?.n ?? 0;
}

const FEW = 200;
// A count of what waits is a hint, and walks an index as long as the backlog.
const SERVES_MS = 2000;
const MAX_KEPT = 1000;

/** Large counts that one backend has taken lately, by what was counted. */
export type RecentCounts = Map<string, { readonly until: number; readonly count: number }>;

/** The same counts, large ones served for a while. */
export function keptCounts(connection: Reading, recent: RecentCounts): PendingCounts {
  return {
    async count(spaces, lacking) {
      const few = await counted(connection, spaces, lacking, FEW + 1);
      if (few <= FEW) return few;
      const key = JSON.stringify([spaces, lacking]);
      const last = recent.get(key);
      if (last && performance.now() < last.until) return last.count;
      const count = await counted(connection, spaces, lacking);
      if (recent.size >= MAX_KEPT) recent.clear();
      recent.set(key, { until: performance.now() + SERVES_MS, count });
      return count;
    },
  };
}

/** The next rows above a cursor. */
export async function pendingPage(
  connection: Reading,
  { lacking, cursor, limit, spaces }: PendingAsk,
): Promise<{ readonly memories: readonly Memory[]; readonly remaining: number }> {
  const place = inSpaces(spaces);
  const { sql, values } = lackingSql(lacking);
  const [rows, remaining] = await Promise.all([
    connection.all<MemoryRow>(
      `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} WHERE ${place.sql} AND ${sql} AND m.id > ? ORDER BY m.id LIMIT ?`,
      ...place.values,
      ...values,
      cursor,
      limit,
    ),
    pendingCounts(connection).count(spaces, lacking),
  ]);
  return { memories: rows.map(toMemory), remaining };
}
