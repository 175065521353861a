import type { AccessesTwice, Filter, Memory, MemoryRows, Reach, Space } from "@chest/core";
import { readIdentities } from "./identities.ts";
import type { PendingCounts } from "./pending.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toDate, toMemory, toSeconds } from "./rows.ts";
import { condition } from "./search/condition.ts";
import type { Reading } from "./transaction.ts";

const DAY_S = 86_400;

const BY_IDS = `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id IN (SELECT value FROM json_each(?))`;

// A list of spaces keeps its identity while nothing changes: see `Projects`.
const sets = new WeakMap<readonly Space[], ReadonlySet<Space>>();

function setOf(spaces: readonly Space[]): ReadonlySet<Space> {
  const known = sets.get(spaces);
  if (known) return known;
  const set = new Set(spaces);
  sets.set(spaces, set);
  return set;
}

/** Memories as one caller may read them, over a connection that sees what is committed, or the writer's own. */
export function memoryReads(
  connection: Reading,
  spaces: (reach: Reach) => readonly Space[],
  pendingCounts: PendingCounts,
): MemoryRows {
  // For rows that are named by id: SQLite would read a long list of spaces anew for each statement.
  function visible<T extends { readonly space: Space }>(rows: readonly T[]): T[] {
    const open = setOf(spaces("everywhere"));
    return rows.filter(({ space }) => open.has(space));
  }
  return {
    async byId(id) {
      const [row] = visible(connection.all<MemoryRow>(BY_IDS, JSON.stringify([id])));
      return row && toMemory(row);
    },
    async byIds(ids) {
      if (ids.length === 0) return [];
      const rows = visible(connection.all<MemoryRow>(BY_IDS, JSON.stringify(ids)));
      const byId = new Map(rows.map((row) => [row.id, toMemory(row)]));
      return [...new Set(ids)].map((id) => byId.get(id)).filter((memory): memory is Memory => memory !== undefined);
    },
    async newest(where: Filter, limit) {
      const { sql, values } = condition(where, spaces(where.reach));
      const rows = connection.all<MemoryRow>(
        `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE ${sql} ORDER BY m.created_at DESC, m.id DESC LIMIT ?`,
        ...values,
        limit,
      );
      return rows.map(toMemory);
    },
    async accesses(ids, now, earlier) {
      const nowS = toSeconds(now);
      const [of30Days, of90Days] = [nowS - 30 * DAY_S, nowS - 90 * DAY_S];
      const rows = connection.all<AccessRow>(
        ...[ACCESSES, of30Days, of90Days, toSeconds(earlier), JSON.stringify(ids), nowS],
      );
      return new Map(visible(rows).map((row) => [row.memory_id, toAccesses(row)]));
    },
    countPending: (reach, identity) =>
      pendingCounts.count(spaces(reach), { identity, active: readIdentities(connection).active }),
  };
}

interface AccessRow {
  readonly memory_id: number;
  readonly space: Space;
  readonly d30: number;
  readonly d90: number;
  readonly total: number;
  readonly last_at: number;
  readonly earlier_d30: number | null;
  readonly earlier_d90: number | null;
  readonly earlier_total: number;
  readonly earlier_at: number | null;
}

const ACCESSES = `SELECT a.memory_id, m.space, sum(at > of30) AS d30, sum(at > of90) AS d90, count(*) AS total, max(at) AS last_at,
    sum(at > of30) FILTER (WHERE at <= earlier) AS earlier_d30, sum(at > of90) FILTER (WHERE at <= earlier) AS earlier_d90,
    count(*) FILTER (WHERE at <= earlier) AS earlier_total, max(at) FILTER (WHERE at <= earlier) AS earlier_at
  FROM (SELECT ? AS of30, ? AS of90, ? AS earlier)
  JOIN (SELECT memory_id, accessed_at AS at FROM memory_access_log
    WHERE memory_id IN (SELECT value FROM json_each(?)) AND accessed_at <= ?) a
  JOIN memories m ON m.id = a.memory_id
  GROUP BY a.memory_id`;

const toAccesses = (row: AccessRow): AccessesTwice => ({
  ...{ within30Days: row.d30, within90Days: row.d90, total: row.total, lastAt: toDate(row.last_at) },
  earlier:
    row.earlier_at === null
      ? undefined
      : {
          ...{ within30Days: row.earlier_d30 ?? 0, within90Days: row.earlier_d90 ?? 0 },
          ...{ total: row.earlier_total, lastAt: toDate(row.earlier_at) },
        },
});
