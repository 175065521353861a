import type { EventKind } from "@chest/core/ports";
import { FEW_EVENTS, type NotedEntity, RECOUNT_S } from "@chest/store/memories/entity-writes";
import type { Transaction } from "../writing/transaction.ts";

const DAY_S = 86_400;
const IF_DUE = `CASE WHEN e.events_total <= ${FEW_EVENTS} OR e.momentum_at IS NULL OR clock.now - e.momentum_at >= ${RECOUNT_S} THEN`;

// The same statement inserts the event, which it cannot see yet.
const RETURNING = `RETURNING e.id, e.name, e.kind, e.canonical_key, e.momentum_score, e.events_total, e.first_event_at,
    ${IF_DUE} 1 + (SELECT count(*) FROM events v WHERE v.entity_id = e.id AND v.occurred_at >= ?) END AS week,
    ${IF_DUE} 1 + (SELECT count(*) FROM events v WHERE v.entity_id = e.id AND v.occurred_at >= ?) END AS day,
    ${IF_DUE} (SELECT avg(importance) FROM memories m WHERE m.entity_id = e.id AND m.created_at >= ?) END AS mean`;

// One statement, because others wait for this row until the commit.
const NOTE = `WITH clock (now) AS (SELECT ?::bigint),
  event AS (INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, ?, ?, ?))
  UPDATE entities e SET events_total = e.events_total + 1, first_event_at = coalesce(e.first_event_at, ?), updated_at = ?
  FROM clock WHERE e.id = ? ${RETURNING}`;

/** Records an event of an entity and counts it, in one round trip. */
export function noteEvent(
  { connection, nowS }: Transaction,
  entityId: number,
  kind: EventKind,
  payload: Readonly<Record<string, number | string>>,
): Promise<NotedEntity | undefined> {
  const [week, day] = [nowS - 7 * DAY_S, nowS - DAY_S];
  const event = [entityId, kind, JSON.stringify(payload), nowS];
  return connection.get<NotedEntity>(NOTE, nowS, ...event, nowS, nowS, entityId, week, day, week);
}
