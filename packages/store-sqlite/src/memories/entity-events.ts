import type { EventKind } from "@chest/core/ports";
import { COUNTED_COLUMNS, type CountedEntity, withWeek } from "@chest/store/memories/entity-events";
import { FEW_EVENTS, type NotedEntity, RECOUNT_S } from "@chest/store/memories/entity-writes";
import type { Transaction } from "../writing/transaction.ts";

const COUNT = `UPDATE entities SET events_total = events_total + 1, first_event_at = coalesce(first_event_at, ?), updated_at = ?
  WHERE id = ? RETURNING ${COUNTED_COLUMNS}`;

/** Records an event of an entity and counts it; weekly totals are read only if its momentum is due. */
export async function noteEvent(
  tx: Transaction,
  entityId: number,
  kind: EventKind,
  payload: Readonly<Record<string, number | string>>,
): Promise<NotedEntity | undefined> {
  const { connection, nowS } = tx;
  tx.event(entityId, kind, payload);
  const row = await connection.get<CountedEntity>(COUNT, nowS, nowS, entityId);
  if (!row) return undefined;
  const isDue = row.events_total <= FEW_EVENTS || row.momentum_at === null || nowS - row.momentum_at >= RECOUNT_S;
  return isDue ? withWeek(connection, row, nowS) : { ...row, week: null, day: null, mean: null };
}
