import type { Space } from "@chest/core/access";
import type { Accesses, AccessesTwice } from "@chest/core/ports";
import { toDate, toSeconds } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";

const DAY_S = 86_400;

interface CountRow {
  readonly id: number;
  readonly d30: number;
  readonly d90: number;
  readonly total: number;
  readonly last_at: number;
  readonly early_d30: number;
  readonly early_d90: number;
  readonly early_total: number;
  readonly early_at: number | null;
}

// Days are counted back from now, for the earlier time too.
const COUNTS = `WITH clock (now, earlier) AS (SELECT ?::bigint, ?::bigint)
  SELECT l.memory_id AS id, max(l.accessed_at) AS last_at, count(*) AS total,
    count(*) FILTER (WHERE l.accessed_at > now - ${30 * DAY_S}) AS d30,
    count(*) FILTER (WHERE l.accessed_at > now - ${90 * DAY_S}) AS d90,
    count(*) FILTER (WHERE l.accessed_at <= earlier AND l.accessed_at > now - ${30 * DAY_S}) AS early_d30,
    count(*) FILTER (WHERE l.accessed_at <= earlier AND l.accessed_at > now - ${90 * DAY_S}) AS early_d90,
    count(*) FILTER (WHERE l.accessed_at <= earlier) AS early_total,
    max(l.accessed_at) FILTER (WHERE l.accessed_at <= earlier) AS early_at
  FROM clock, memory_access_log l JOIN memories m ON m.id = l.memory_id
  WHERE l.memory_id = ANY (?) AND m.space = ANY (?) AND l.accessed_at <= now GROUP BY l.memory_id`;

/** Openings of memories up to now, and up to an earlier time; memories without any are left out. */
export async function accessesOf(
  connection: Reading,
  ids: readonly number[],
  spaces: readonly Space[],
  now: Date,
  earlier: Date,
): Promise<ReadonlyMap<number, AccessesTwice>> {
  const rows = await connection.all<CountRow>(COUNTS, toSeconds(now), toSeconds(earlier), ids, spaces);
  return new Map(
    rows.map((row) => [row.id, { ...toAccesses(row.d30, row.d90, row.total, row.last_at), earlier: earlierOf(row) }]),
  );
}

const toAccesses = (within30Days: number, within90Days: number, total: number, lastAt: number): Accesses => ({
  within30Days,
  within90Days,
  total,
  lastAt: toDate(lastAt),
});

const earlierOf = ({ early_d30, early_d90, early_total, early_at }: CountRow): Accesses | undefined =>
  early_at === null ? undefined : toAccesses(early_d30, early_d90, early_total, early_at);
