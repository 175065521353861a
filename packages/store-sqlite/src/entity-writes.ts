import { randomUUIDv7 } from "node:crypto";
import { type Entity, type EntityWrites, momentum, normaliseName } from "@chest/core";
import { type EntityRow, toEntity } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

const DAY_S = 86_400;
const COLUMNS = "id, name, kind, canonical_key, momentum_score";

export function entityWrites(tx: Transaction): EntityWrites {
  const { connection, nowS } = tx;
  const one = (sql: string, ...values: readonly string[]): Entity | undefined => {
    const row = connection.get<EntityRow>(sql, ...values);
    return row && toEntity(row);
  };

  return {
    async findOrAdd({ name, kind, key }) {
      const normal = normaliseName(name) || name.toLowerCase();
      const found =
        (key === undefined ? undefined : one(`SELECT ${COLUMNS} FROM entities WHERE canonical_key = ?`, key)) ??
        one(`SELECT ${COLUMNS} FROM entities WHERE kind = ? AND normalised_name = ?`, kind, normal) ??
        one(
          `SELECT ${COLUMNS} FROM entities WHERE id = (SELECT entity_id FROM entity_aliases WHERE kind = ? AND normalised_name = ?)`,
          ...[kind, normal],
        );
      if (!found) {
        const row = connection.get<EntityRow>(
          `INSERT INTO entities (uid, kind, name, normalised_name, folded_name, canonical_key, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
          ...[randomUUIDv7(), kind, name, normal, name.toLowerCase(), key ?? null, nowS, nowS],
        );
        if (!row) throw new Error("an insert returned no id");
        return { entity: toEntity(row) };
      }
      if (key === undefined || found.canonicalKey === key) return { entity: found };
      if (found.canonicalKey !== undefined) return { entity: found, keyConflict: found.canonicalKey };
      connection.run("UPDATE entities SET canonical_key = ?, updated_at = ? WHERE id = ?", key, nowS, found.id);
      return { entity: { ...found, canonicalKey: key } };
    },

    async noteEvent(entityId, kind, payload) {
      tx.event(entityId, kind, payload);
      const row = connection.get<EntityRow & Totals>(
        `UPDATE entities SET events_total = events_total + 1, first_event_at = coalesce(first_event_at, ?), updated_at = ?
         WHERE id = ? RETURNING ${COLUMNS}, events_total, first_event_at, momentum_at`,
        ...[nowS, nowS, entityId],
      );
      if (!row) throw new Error(`entity ${entityId} vanished inside its transaction`);
      if (!isDue(row, nowS)) return toEntity(row);
      return toEntity({ ...row, momentum_score: keepMomentum(tx, row) });
    },
  };
}

/** Counts events that happened before now, as they come in from elsewhere, and computes the momentum anew. */
export function notePastEvents(tx: Transaction, entityId: number, events: number, firstAt: number): void {
  const row = tx.connection.get<EntityRow & Totals>(
    `UPDATE entities SET events_total = events_total + ?, first_event_at = min(coalesce(first_event_at, ?), ?)
     WHERE id = ? RETURNING ${COLUMNS}, events_total, first_event_at, momentum_at`,
    ...[events, firstAt, firstAt, entityId],
  );
  if (row) keepMomentum(tx, row);
}

function keepMomentum(tx: Transaction, row: EntityRow & Totals): number {
  const score = momentumOf(tx, row);
  const sql = "UPDATE entities SET momentum_score = ?, momentum_at = ? WHERE id = ?";
  tx.connection.run(sql, score, tx.nowS, row.id);
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

function momentumOf(
  { connection, nowS }: Transaction,
  { id, events_total, first_event_at }: EntityRow & Totals,
): number {
  const events = connection.get<{ week: number; day: number }>(
    "SELECT count(*) AS week, count(*) FILTER (WHERE occurred_at >= ?) AS day FROM events WHERE entity_id = ? AND occurred_at >= ?",
    ...[nowS - DAY_S, id, nowS - 7 * DAY_S],
  );
  const recent = connection.get<{ mean: number | null }>(
    "SELECT avg(importance) AS mean FROM memories WHERE entity_id = ? AND created_at >= ?",
    ...[id, nowS - 7 * DAY_S],
  );
  return momentum({
    lastDay: events?.day ?? 0,
    lastWeek: events?.week ?? 0,
    total: events_total,
    days: (nowS - first_event_at) / DAY_S,
    meanImportance: recent?.mean ?? undefined,
  });
}
