import type { EventKind } from "@chest/core";
import { FEW_EVENTS, keepMomentum, type NotedEntity, RECOUNT_S } from "@chest/store/memories/entity-writes";
import type { Statements } from "../database/connection.ts";
import type { Transaction } from "../writing/transaction.ts";

const DAY_S = 86_400;
const RETURNED = "id, name, kind, canonical_key, momentum_score, events_total, first_event_at, momentum_at";

const COUNT = `UPDATE entities SET events_total = events_total + 1, first_event_at = coalesce(first_event_at, ?), updated_at = ?
  WHERE id = ? RETURNING ${RETURNED}`;
const COUNT_PAST = `UPDATE entities SET events_total = events_total + ?, first_event_at = min(coalesce(first_event_at, ?), ?)
  WHERE id = ? RETURNING ${RETURNED}`;
const EVENTS_SINCE = `SELECT count(*) AS week, count(*) FILTER (WHERE occurred_at >= ?) AS day
  FROM events WHERE entity_id = ? AND occurred_at >= ?`;
/** Runs in every write: a covering index spares it looking up as many as a hundred rows. */
export const MEAN_SINCE = "SELECT avg(importance) AS mean FROM memories WHERE entity_id = ? AND created_at >= ?";

type CountedEntity = Omit<NotedEntity, "week" | "day" | "mean"> & { readonly momentum_at: number | null };

/** Notes an event of an entity and counts it; the sums of its week are read only where its momentum is due. */
export async function noteEvent(
  tx: Transaction,
  entityId: number,
  kind: EventKind,
  payload: Readonly<Record<string, number | string>>,
): Promise<NotedEntity | undefined> {
  const { sync: connection, nowS } = tx;
  tx.event(entityId, kind, payload);
  const row = connection.get<CountedEntity>(COUNT, nowS, nowS, entityId);
  if (!row) return undefined;
  const isDue = row.events_total <= FEW_EVENTS || row.momentum_at === null || nowS - row.momentum_at >= RECOUNT_S;
  return isDue ? summed(connection, row, nowS) : { ...row, week: null, day: null, mean: null };
}

/** Counts past events that an import brings, and computes the momentum again. */
export function notePastEvents(tx: Transaction, entityId: number, events: number, firstAt: number): void {
  const row = tx.sync.get<CountedEntity>(COUNT_PAST, events, firstAt, firstAt, entityId);
  if (row) keepMomentum(tx, summed(tx.sync, row, tx.nowS));
}

function summed(connection: Statements, row: CountedEntity, nowS: number): NotedEntity {
  const weekAgo = nowS - 7 * DAY_S;
  const events = connection.get<{ week: number; day: number }>(EVENTS_SINCE, nowS - DAY_S, row.id, weekAgo);
  const mean = connection.get<{ mean: number | null }>(MEAN_SINCE, row.id, weekAgo)?.mean ?? null;
  return { ...row, week: events?.week ?? 0, day: events?.day ?? 0, mean };
}
