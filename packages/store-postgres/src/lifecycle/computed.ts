import { activation, COUNTED_ACCESSES, isActivationStale, momentum, type Plan } from "@chest/core";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;
// One statement for each so many.
const AT_ONCE = 200;
// A change too small for any answer to show is not worth a write.
const NOTICEABLE = 0.005;

/** Items as one statement takes them. */
export function inChunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, nth) =>
    all.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
  );
}

interface UsedRow {
  readonly id: number;
  readonly used_at: number;
  readonly was_opened: boolean;
  readonly computed_at: number | null;
}

// For memories with more uses, the newest count.
const TRACES = `SELECT m.id, sum(1 / sqrt(greatest(1, ?::bigint - l.accessed_at))) AS traces
  FROM unnest(?::bigint[]) AS m (id) CROSS JOIN LATERAL (
    SELECT accessed_at FROM memory_access_log WHERE memory_id = m.id ORDER BY accessed_at DESC LIMIT ${COUNTED_ACCESSES}) l
  GROUP BY m.id`;

const PUT_ACTIVATION = `INSERT INTO memory_activation (memory_id, score, computed_at)
  SELECT m.id, due.score, ?::bigint FROM unnest(?::bigint[], ?::float8[]) AS due (id, score) JOIN memories m ON m.id = due.id
  ORDER BY m.id
  ON CONFLICT (memory_id) DO UPDATE SET score = excluded.score, computed_at = excluded.computed_at`;

export async function activationPlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { sql, values } = inPlace(where);
  const { nowS } = where;
  const rows = await sweeper.reader.all<UsedRow>(
    `SELECT m.id, coalesce(m.last_accessed_at, m.created_at) AS used_at, m.access_count > 0 AS was_opened, a.computed_at
     FROM memories m LEFT JOIN memory_activation a ON a.memory_id = m.id
     WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${sql} ORDER BY m.id`,
    ...values,
  );
  const stale = rows.filter((row) => isActivationStale(row.computed_at ?? undefined, row.used_at, nowS));
  const opened = stale.filter((row) => row.was_opened).map(({ id }) => id);
  const traces = new Map(
    (await sweeper.reader.all<{ id: number; traces: number }>(TRACES, nowS, opened)).map((row) => [row.id, row.traces]),
  );
  const due = stale.map(({ id, used_at }) => ({
    id,
    score: activation(traces.get(id) ?? Math.max(1, nowS - used_at) ** -0.5),
  }));
  return {
    scanned: rows.length,
    due: due.length,
    archives: [],
    hasMore: false,
    async apply({ signal }) {
      const changed = await inSlices(
        sweeper,
        inChunks(due),
        { op: "maintenance:activation", signal },
        async ({ tx }, some) => {
          const ids = some.map(({ id }) => id);
          const scores = some.map(({ score }) => score);
          tx.connection.later(PUT_ACTIVATION, nowS, ids, scores);
          return some.length;
        },
      );
      return { changed: sum(changed), archived: [], created: [] };
    },
  };
}

interface EntityRow {
  readonly id: number;
  readonly momentum_score: number;
  readonly events_total: number;
  readonly first_event_at: number | null;
  readonly week: number | null;
  readonly day: number | null;
  readonly mean: number | null;
}

// A memory of this week left an event this week, so entities without one have no mean to ask for.
const ENTITIES = `WITH recent AS (
    SELECT entity_id, count(*) AS week, count(*) FILTER (WHERE occurred_at >= ?) AS day
    FROM events WHERE entity_id IS NOT NULL AND occurred_at >= ? GROUP BY entity_id)
  SELECT e.id, e.momentum_score, e.events_total, e.first_event_at, r.week, r.day,
    CASE WHEN r.week > 0 THEN (SELECT avg(importance) FROM memories m WHERE m.entity_id = e.id AND m.created_at >= ?) END AS mean
  FROM entities e LEFT JOIN recent r ON r.entity_id = e.id WHERE e.events_total > 0 ORDER BY e.id`;

// A writer in the meantime has counted anew.
const PUT_MOMENTUM =
  "UPDATE entities SET momentum_score = ?, momentum_at = ? WHERE id = ? AND coalesce(momentum_at, 0) <= ?";

export async function momentumPlan(sweeper: Sweeper, { nowS }: Where): Promise<Plan> {
  const week = nowS - 7 * DAY_S;
  const rows = await sweeper.reader.all<EntityRow>(ENTITIES, nowS - DAY_S, week, week);
  const due = rows.flatMap((row) => {
    const score = momentum({
      lastDay: row.day ?? 0,
      lastWeek: row.week ?? 0,
      total: row.events_total,
      days: (nowS - (row.first_event_at ?? nowS)) / DAY_S,
      meanImportance: row.mean ?? undefined,
    });
    return Math.abs(score - row.momentum_score) < NOTICEABLE ? [] : [{ id: row.id, score }];
  });
  return {
    scanned: rows.length,
    due: due.length,
    archives: [],
    hasMore: false,
    async apply({ signal }) {
      const changed = await inSlices(
        sweeper,
        due,
        { op: "maintenance:momentum", signal },
        async ({ tx }, { id, score }) => (await tx.connection.run(PUT_MOMENTUM, score, nowS, id, nowS)).changes,
      );
      return { changed: sum(changed), archived: [], created: [] };
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
