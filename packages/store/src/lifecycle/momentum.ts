import { momentum } from "@chest/core/lifecycle";
import type { Plan } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import type { Where } from "./sweep-conditions.ts";
import { changingPlan, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;
// A smaller change is invisible in every answer, so it is not written.
const NOTICEABLE = 0.005;

interface DueMomentum {
  readonly scanned: number;
  readonly entities: readonly { readonly id: number; readonly score: number }[];
}

interface MomentumRow {
  readonly id: number;
  readonly momentum_score: number;
  readonly events_total: number;
  readonly first_event_at: number | null;
  readonly week: number | null;
  readonly day: number | null;
  readonly mean: number | null;
}

// Entities without an event this week have no memory of this week, so their mean is not queried.
const ENTITIES = `WITH recent AS MATERIALIZED (
    SELECT entity_id, count(*) AS week, count(*) FILTER (WHERE occurred_at >= ?) AS day
    FROM events WHERE entity_id IS NOT NULL AND occurred_at >= ? GROUP BY entity_id)
  SELECT e.id, e.momentum_score, e.events_total, e.first_event_at, r.week, r.day,
    (SELECT avg(importance) FROM memories m WHERE r.week > 0 AND m.entity_id = e.id AND m.created_at >= ?) AS mean
  FROM entities e LEFT JOIN recent r ON r.entity_id = e.id WHERE e.events_total > 0 ORDER BY e.id`;

/** Finds entities whose momentum has changed noticeably. */
export async function readMomenta(connection: Reading, { nowS }: Where): Promise<DueMomentum> {
  const week = nowS - 7 * DAY_S;
  const rows = await connection.all<MomentumRow>(ENTITIES, nowS - DAY_S, week, week);
  const entities = rows.flatMap((row) => {
    const score = momentum({
      lastDay: row.day ?? 0,
      lastWeek: row.week ?? 0,
      total: row.events_total,
      days: (nowS - (row.first_event_at ?? nowS)) / DAY_S,
      meanImportance: row.mean ?? undefined,
    });
    return Math.abs(score - row.momentum_score) < NOTICEABLE ? [] : [{ id: row.id, score }];
  });
  return { scanned: rows.length, entities };
}

// No effect if another write has recomputed it meanwhile.
const PUT = "UPDATE entities SET momentum_score = ?, momentum_at = ? WHERE id = ? AND coalesce(momentum_at, 0) <= ?";

export async function momentumPlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { scanned, entities } = await sweeper.ask("momentum", where);
  const found = { scanned, due: entities.length };
  return changingPlan(sweeper, "momentum", found, entities, async ({ tx }, { id, score }) => {
    return (await tx.connection.run(PUT, score, where.nowS, id, where.nowS)).changes;
  });
}
