import type { EventKind } from "@chest/core/ports";
import type { Fingerprints } from "@chest/core/statements";
import { FEW_EVENTS, type NotedEntity, RECOUNT_S } from "@chest/store/memories/entity-writes";
import { NEW_MEMORY_COLUMNS } from "@chest/store/memories/memory-writes";
import type { WriteParts } from "@chest/store/store";
import { vectorParts } from "../embedding/vector-parts.ts";
import { PUT_TEXT, textValues } from "../search/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";
import { accessesOf } from "./access-stats.ts";
import { type NearestTexts, nearestTexts } from "./nearest-texts.ts";
import { NEXT_ID } from "./next-id.ts";

// Inserts a memory with its text row in one round trip.
const insertOf = (columns: readonly string[]) => `WITH m AS (
  INSERT INTO memories (${columns.join(", ")})
  VALUES (${columns.map(() => "?").join(", ")}) RETURNING id),
  ${PUT_TEXT}
  SELECT id FROM m`;
const INSERT = insertOf(NEW_MEMORY_COLUMNS);
const INSERT_AS = insertOf(["id", ...NEW_MEMORY_COLUMNS]);

/**
 * Engine-specific parts of a transaction's writes.
 * @param fingerprints cache of this process
 * @param foresee sends queries that the work will need in advance
 */
export function writePartsOf(
  tx: Transaction,
  fingerprints: Fingerprints,
  foresee?: (nearest: NearestTexts) => void,
): WriteParts {
  const { connection } = tx;
  const nearest = nearestTexts(tx, fingerprints);
  return {
    async insert(cells, scope, text) {
      const values = [...cells, ...textValues(scope, text)];
      const next = await connection.next<{ id: number }>(NEXT_ID);
      if (next !== undefined) {
        connection.later(INSERT_AS, next.id, ...values);
        return next.id;
      }
      const row = await connection.get<{ id: number }>(INSERT, ...values);
      if (!row) throw new Error("an insert returned no id");
      return row.id;
    },
    noteEvent: (...event) => noteEvent(tx, ...event),
    nearest: nearest.find,
    vectors: () => vectorParts(tx),
    readAccesses: accessesOf,
    foresee: foresee && (() => foresee(nearest)),
  };
}

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
function noteEvent(
  { connection, nowS }: Transaction,
  entityId: number,
  kind: EventKind,
  payload: Readonly<Record<string, number | string>>,
): Promise<NotedEntity | undefined> {
  const [week, day] = [nowS - 7 * DAY_S, nowS - DAY_S];
  const event = [entityId, kind, JSON.stringify(payload), nowS];
  return connection.get<NotedEntity>(NOTE, nowS, ...event, nowS, nowS, entityId, week, day, week);
}
