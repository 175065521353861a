import { randomUUIDv7 } from "node:crypto";
import {
  type EntityName,
  type EntityWrites,
  type FoundEntity,
  momentum,
  normaliseName,
  type Space,
  spaceOf,
  subjectOfPlace,
} from "@chest/core";
import { type EntityRow, toEntity } from "@chest/store/database/rows";
import type { Transaction } from "../database/transaction.ts";

const DAY_S = 86_400;
const COLUMNS = "id, name, kind, canonical_key, momentum_score";

export function entityWrites(tx: Transaction): EntityWrites {
  const { connection, caller, nowS } = tx;
  return {
    async findOrAdd({ visibility, projectKey, ...named }) {
      return findOrAddIn(tx, spaceOf(visibility, caller.member, await tx.projectId(projectKey)), named);
    },
    async subjectOf(place) {
      const { projectKey } = place;
      return subjectOfPlace(place, projectKey === undefined ? undefined : (await tx.places()).find(projectKey));
    },
    async noteEvent(entityId, kind, payload) {
      const [week, day] = [nowS - 7 * DAY_S, nowS - DAY_S];
      const event = [entityId, kind, JSON.stringify(payload), nowS];
      const row = await connection.get<EntityRow & Totals>(NOTE, nowS, ...event, nowS, nowS, entityId, week, day, week);
      if (!row) throw new Error(`entity ${entityId} vanished inside its transaction`);
      return toEntity(keepMomentum(tx, row));
    },
  };
}

/** Notes what came in from elsewhere: events of before, the first of them at that time. */
export async function notePastEvents(tx: Transaction, entityId: number, events: number, firstAt: number) {
  const { connection, nowS } = tx;
  const [week, day] = [nowS - 7 * DAY_S, nowS - DAY_S];
  const row = await connection.get<EntityRow & Totals>(
    NOTE_PAST,
    nowS,
    events,
    firstAt,
    firstAt,
    entityId,
    week,
    day,
    week,
  );
  if (row) keepMomentum(tx, row);
}

function keepMomentum({ connection, nowS }: Transaction, row: EntityRow & Totals): EntityRow {
  if (row.week === null) return row;
  const score = momentum({
    lastDay: row.day ?? 0,
    lastWeek: row.week,
    total: row.events_total,
    days: (nowS - row.first_event_at) / DAY_S,
    meanImportance: row.mean ?? undefined,
  });
  connection.later("UPDATE entities SET momentum_score = ?, momentum_at = ? WHERE id = ?", score, nowS, row.id);
  return { ...row, momentum_score: score };
}

type Named = Pick<EntityName, "name" | "kind" | "key">;

const BY_KEY = `SELECT ${COLUMNS} FROM entities WHERE space = ? AND canonical_key = ?`;
// Its own name goes before an alias.
const BY_NAME = `SELECT ${COLUMNS}, 0 AS nth FROM entities WHERE space = ? AND kind = ? AND normalised_name = ?
  UNION ALL SELECT ${COLUMNS}, 1 FROM entities
    WHERE id = (SELECT entity_id FROM entity_aliases WHERE space = ? AND kind = ? AND normalised_name = ?)
  ORDER BY nth LIMIT 1`;

/** The entity of a space that has this key, else this kind and name; made where there is none. */
export async function findOrAddIn(tx: Transaction, space: Space, { name, kind, key }: Named): Promise<FoundEntity> {
  const { connection, nowS } = tx;
  const normal = normaliseName(name) || name.toLowerCase();
  for (;;) {
    const place = [space, kind, normal] as const;
    const [keyed, named] = await Promise.all([
      key === undefined ? undefined : connection.get<EntityRow>(BY_KEY, space, key),
      connection.get<EntityRow>(BY_NAME, ...place, ...place),
    ]);
    if (keyed) {
      const entity = toEntity(keyed);
      return named?.id === keyed.id ? { entity } : { entity, isKnownOtherwise: true };
    }
    if (!named) {
      const made = await add(tx, space, { name, kind, key }, normal);
      // Undefined: another transaction has just made it.
      if (made) return { entity: toEntity(made) };
      continue;
    }
    const found = toEntity(named);
    if (key === undefined) return { entity: found };
    if (found.canonicalKey !== undefined) return { entity: found, keyConflict: found.canonicalKey };
    const { changes } = await connection.run(
      "UPDATE entities SET canonical_key = ?, updated_at = ? WHERE id = ? AND canonical_key IS NULL",
      key,
      nowS,
      found.id,
    );
    if (changes === 1) return { entity: { ...found, canonicalKey: key } };
  }
}

const add = ({ connection, nowS }: Transaction, space: Space, { name, kind, key }: Named, normal: string) =>
  connection.get<EntityRow>(
    `INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, canonical_key, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    randomUUIDv7(),
    space,
    kind,
    name,
    normal,
    name.toLowerCase(),
    key ?? null,
    nowS,
    nowS,
  );

interface Totals {
  readonly events_total: number;
  readonly first_event_at: number;
  /** Null where the momentum is not computed anew. */
  readonly week: number | null;
  readonly day: number | null;
  readonly mean: number | null;
}

// Counting the week of a busy entity costs what the week held: past this many events, once in a minute is enough.
const FEW_EVENTS = 100;
const RECOUNT_S = 60;
const IF_DUE = `CASE WHEN e.events_total <= ${FEW_EVENTS} OR e.momentum_at IS NULL OR clock.now - e.momentum_at >= ${RECOUNT_S} THEN`;

/** @param added events of now that the same statement adds, which it does not see yet. */
const returning = (
  added: number,
) => `RETURNING e.id, e.name, e.kind, e.canonical_key, e.momentum_score, e.events_total, e.first_event_at,
    ${IF_DUE} ${added} + (SELECT count(*) FROM events v WHERE v.entity_id = e.id AND v.occurred_at >= ?) END AS week,
    ${IF_DUE} ${added} + (SELECT count(*) FROM events v WHERE v.entity_id = e.id AND v.occurred_at >= ?) END AS day,
    ${IF_DUE} (SELECT avg(importance) FROM memories m WHERE m.entity_id = e.id AND m.created_at >= ?) END AS mean`;

// In one statement: others wait for this row until the commit.
const NOTE = `WITH clock (now) AS (SELECT ?::bigint),
  event AS (INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, ?, ?, ?))
  UPDATE entities e SET events_total = e.events_total + 1, first_event_at = coalesce(e.first_event_at, ?), updated_at = ?
  FROM clock WHERE e.id = ? ${returning(1)}`;

const NOTE_PAST = `WITH clock (now) AS (SELECT ?::bigint)
  UPDATE entities e SET events_total = e.events_total + ?, first_event_at = least(coalesce(e.first_event_at, ?), ?)
  FROM clock WHERE e.id = ? ${returning(0)}`;
