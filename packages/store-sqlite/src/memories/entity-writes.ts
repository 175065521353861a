import { randomUUIDv7 } from "node:crypto";
import {
  type EntityKind,
  type EntityName,
  type EntityWrites,
  type FoundEntity,
  momentum,
  normaliseName,
  type Space,
  spaceOf,
  subjectOfPlace,
} from "@chest/core";
import { type EntityRow, toEntity } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";

const DAY_S = 86_400;
const COLUMNS = "id, name, kind, canonical_key, momentum_score";

export function entityWrites(tx: Transaction): EntityWrites {
  const { sync: connection, caller, nowS } = tx;

  return {
    async findOrAdd({ visibility, projectKey, ...named }) {
      return findOrAddIn(tx, spaceOf(visibility, caller.member, await tx.projectId(projectKey)), named);
    },

    async subjectOf(place) {
      return subjectOfPlace(place, place.projectKey === undefined ? undefined : tx.projects.find(place.projectKey));
    },

    async noteEvent(entityId, kind, payload) {
      tx.event(entityId, kind, payload);
      const row = connection.get<EntityRow & Totals>(
        `UPDATE entities SET events_total = events_total + 1, first_event_at = coalesce(first_event_at, ?), updated_at = ?
         WHERE id = ? RETURNING ${COLUMNS}, events_total, first_event_at, momentum_at`,
        nowS,
        nowS,
        entityId,
      );
      if (!row) throw new Error(`entity ${entityId} vanished inside its transaction`);
      if (!isDue(row, nowS)) return toEntity(row);
      return toEntity({ ...row, momentum_score: keepMomentum(tx, row) });
    },
  };
}

type Named = Pick<EntityName, "name" | "kind" | "key">;

/** Finds the entity of a space by its key, else by kind and name; adds it if there is none. */
export function findOrAddIn(tx: Transaction, space: Space, { name, kind, key }: Named): FoundEntity {
  const { sync: connection, nowS } = tx;
  const normal = normaliseName(name) || name.toLowerCase();
  const keyed = key === undefined ? undefined : connection.get<EntityRow>(BY_KEY, space, key);
  if (keyed) {
    const entity = toEntity(keyed);
    const isKnownOtherwise = byName(tx, space, kind, normal)?.id !== keyed.id;
    return isKnownOtherwise ? { entity, isKnownOtherwise } : { entity };
  }
  const named = byName(tx, space, kind, normal);
  if (!named) return { entity: toEntity(add(tx, space, { name, kind, key }, normal)) };
  const found = toEntity(named);
  if (key === undefined) return { entity: found };
  if (found.canonicalKey !== undefined) return { entity: found, keyConflict: found.canonicalKey };
  connection.run("UPDATE entities SET canonical_key = ?, updated_at = ? WHERE id = ?", key, nowS, found.id);
  return { entity: { ...found, canonicalKey: key } };
}

const BY_KEY = `SELECT ${COLUMNS} FROM entities WHERE space = ? AND canonical_key = ?`;
const BY_NAME = `SELECT ${COLUMNS} FROM entities WHERE space = ? AND kind = ? AND normalised_name = ?`;
const BY_ALIAS = `SELECT ${COLUMNS} FROM entities
  WHERE id = (SELECT entity_id FROM entity_aliases WHERE space = ? AND kind = ? AND normalised_name = ?)`;

const byName = (
  { sync: connection }: Transaction,
  space: Space,
  kind: EntityKind,
  normal: string,
): EntityRow | undefined =>
  connection.get<EntityRow>(BY_NAME, space, kind, normal) ?? connection.get<EntityRow>(BY_ALIAS, space, kind, normal);

function add(
  { sync: connection, nowS }: Transaction,
  space: Space,
  { name, kind, key }: Named,
  normal: string,
): EntityRow {
  const row = connection.get<EntityRow>(
    `INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, canonical_key, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
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
  if (!row) throw new Error("an insert returned no id");
  return row;
}

/** Counts past events that an import brings, and computes the momentum again. */
export function notePastEvents(tx: Transaction, entityId: number, events: number, firstAt: number): void {
  const row = tx.sync.get<EntityRow & Totals>(
    `UPDATE entities SET events_total = events_total + ?, first_event_at = min(coalesce(first_event_at, ?), ?)
     WHERE id = ? RETURNING ${COLUMNS}, events_total, first_event_at, momentum_at`,
    events,
    firstAt,
    firstAt,
    entityId,
  );
  if (row) keepMomentum(tx, row);
}

function keepMomentum(tx: Transaction, row: EntityRow & Totals): number {
  const score = momentumOf(tx, row);
  const sql = "UPDATE entities SET momentum_score = ?, momentum_at = ? WHERE id = ?";
  tx.sync.run(sql, score, tx.nowS, row.id);
  return score;
}

interface Totals {
  readonly events_total: number;
  readonly first_event_at: number;
  readonly momentum_at: number | null;
}

// Counting the week of a busy entity costs what the week held: past this many events, once in a minute is enough.
const FEW_EVENTS = 100;
const RECOUNT_S = 60;

const isDue = ({ events_total, momentum_at }: Totals, nowS: number): boolean =>
  events_total <= FEW_EVENTS || momentum_at === null || nowS - momentum_at >= RECOUNT_S;

/** Runs in every write: a covering index spares it looking up as many as a hundred rows. */
export const MEAN_SINCE = "SELECT avg(importance) AS mean FROM memories WHERE entity_id = ? AND created_at >= ?";

function momentumOf(
  { sync: connection, nowS }: Transaction,
  { id, events_total, first_event_at }: EntityRow & Totals,
): number {
  const events = connection.get<{ week: number; day: number }>(
    "SELECT count(*) AS week, count(*) FILTER (WHERE occurred_at >= ?) AS day FROM events WHERE entity_id = ? AND occurred_at >= ?",
    nowS - DAY_S,
    id,
    nowS - 7 * DAY_S,
  );
  const recent = connection.get<{ mean: number | null }>(MEAN_SINCE, id, nowS - 7 * DAY_S);
  return momentum({
    lastDay: events?.day ?? 0,
    lastWeek: events?.week ?? 0,
    total: events_total,
    days: (nowS - first_event_at) / DAY_S,
    meanImportance: recent?.mean ?? undefined,
  });
}
