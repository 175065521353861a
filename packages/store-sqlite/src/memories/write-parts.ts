import type { Memory } from "@chest/core/memory";
import type { EventKind } from "@chest/core/ports";
import { type FingerprintRow, Fingerprints, MOST_FINGERPRINTS } from "@chest/core/statements";
import { isOfJournal } from "@chest/store/database/condition";
import { COUNTED_COLUMNS, type CountedEntity, withWeek } from "@chest/store/memories/entity-events";
import { FEW_EVENTS, type NotedEntity, RECOUNT_S } from "@chest/store/memories/entity-writes";
import { NEW_MEMORY_COLUMNS } from "@chest/store/memories/memory-writes";
import type { WriteParts } from "@chest/store/store";
import { boundAll } from "../database/async-connection.ts";
import type { Connection, Reading } from "../database/connection.ts";
import { vectorParts } from "../embedding/vector-parts.ts";
import { putTextRow } from "../full-text/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";
import { accessesOf } from "./access-stats.ts";

const INSERT = `INSERT INTO memories (${NEW_MEMORY_COLUMNS.join(", ")})
  VALUES (${NEW_MEMORY_COLUMNS.map(() => "?").join(", ")}) RETURNING id`;

/**
 * Engine-specific parts of a transaction's writes.
 * @param writing connection of the transaction, which owns the fingerprint cache
 */
export function writePartsOf(tx: Transaction, writing: Connection): WriteParts {
  return {
    async insert(cells, scope, text) {
      const row = tx.sync.get<{ id: number }>(INSERT, ...boundAll(cells));
      if (!row) throw new Error("an insert returned no id");
      putTextRow(tx.sync, tx.index, row.id, undefined, { scope, ...text });
      return row.id;
    },
    noteEvent: (...event) => noteEvent(tx, ...event),
    nearest: async (memory, limit) => nearestTexts(tx.sync, fingerprintsBeside(writing), memory, tx.nowS, limit),
    vectors: () => vectorParts(tx),
    readAccesses: async (_, ...query) => accessesOf(tx.sync, ...query),
  };
}

const COUNT = `UPDATE entities SET events_total = events_total + 1, first_event_at = coalesce(first_event_at, ?), updated_at = ?
  WHERE id = ? RETURNING ${COUNTED_COLUMNS}`;

/** Records an event of an entity and counts it; weekly totals are read only if its momentum is due. */
async function noteEvent(
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

// By entity: the index of a space would scan all other entities. In index order with a limit; rows of the same second
// are sorted by id afterwards.
const NEWEST = `SELECT id, content, created_at FROM memories m
  WHERE entity_id = ? AND +space = ? AND archived_at IS NULL AND created_at >= ? AND id > ? AND NOT ${isOfJournal("m")}
  ORDER BY created_at DESC LIMIT ${MOST_FINGERPRINTS}`;

const kept = new WeakMap<Connection, Fingerprints>();

/** Fingerprint cache of a writing connection. */
function fingerprintsBeside(writing: Connection): Fingerprints {
  const known = kept.get(writing) ?? new Fingerprints();
  kept.set(writing, known);
  return known;
}

/** Ids of memories of one entity and space with similar words, including the memory itself. */
function nearestTexts(
  connection: Reading,
  known: Fingerprints,
  memory: Pick<Memory, "id" | "content" | "entity" | "space">,
  nowS: number,
  limit: number,
): readonly number[] {
  const { newestS, lastId } = known.readUpTo(memory, nowS);
  const rows = connection.all<FingerprintRow>(NEWEST, memory.entity.id, memory.space, newestS, lastId);
  return known.nearest(memory, rows.sort(byAge), nowS, limit);
}

const byAge = (a: FingerprintRow, b: FingerprintRow): number => a.created_at - b.created_at || a.id - b.id;
