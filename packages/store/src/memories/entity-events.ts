import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";
import { keepMomentum, type NotedEntity } from "./entity-writes.ts";

const DAY_S = 86_400;

/** Columns that an entity is returned with when its events are counted. */
export const COUNTED_COLUMNS =
  "id, name, kind, canonical_key, momentum_score, events_total, first_event_at, momentum_at";

export type CountedEntity = Omit<NotedEntity, "week" | "day" | "mean"> & { readonly momentum_at: number | null };

const EVENTS_SINCE = `SELECT count(*) AS week, count(*) FILTER (WHERE occurred_at >= ?) AS day
  FROM events WHERE entity_id = ? AND occurred_at >= ?`;
/** Runs in every write on SQLite: the covering index saves up to a hundred row lookups. */
export const MEAN_SINCE = "SELECT avg(importance) AS mean FROM memories WHERE entity_id = ? AND created_at >= ?";

/** Adds the totals of the last week to an entity. */
export async function withWeek(connection: Reading, row: CountedEntity, nowS: number): Promise<NotedEntity> {
  const weekAgo = nowS - 7 * DAY_S;
  const events = await connection.get<{ week: number; day: number }>(EVENTS_SINCE, nowS - DAY_S, row.id, weekAgo);
  const mean = (await connection.get<{ mean: number | null }>(MEAN_SINCE, row.id, weekAgo))?.mean ?? null;
  return { ...row, week: events?.week ?? 0, day: events?.day ?? 0, mean };
}

const countPast = statements(
  (
    d,
  ) => `UPDATE entities SET events_total = events_total + ?, first_event_at = ${d.least("coalesce(first_event_at, ?)", "?")}
    WHERE id = ? RETURNING ${COUNTED_COLUMNS}`,
);

/** Counts past events of an import, and recomputes the momentum. */
export async function notePastEvents(
  tx: Transaction,
  entityId: number,
  events: number,
  firstAt: number,
): Promise<void> {
  const { connection, nowS } = tx;
  const sql = countPast(connection.dialect);
  const row = await connection.get<CountedEntity>(sql, events, firstAt, firstAt, entityId);
  if (row) keepMomentum(tx, await withWeek(connection, row, nowS));
}
