import { MAINTENANCE } from "@chest/core/access";
import { expiryOf, type Layer } from "@chest/core/memory";
import type { Plan } from "@chest/core/ports";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toSeconds } from "../database/rows.ts";
import { LEAVE_JOURNAL } from "../memories/memory-writes.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import { changingPlan, chunks, type Sweeper } from "./sweeper.ts";

/** Session notes that are not in the state of a new capture. */
interface Unsorted {
  /** Number of rows examined. */
  readonly scanned: number;
  /** Notes that a member used; they become memories. */
  readonly taken: readonly ReclassifiedRow[];
  /** Notes that have, or wait for, a vector. */
  readonly embedded: readonly number[];
  readonly hasMore: boolean;
}

interface ReclassifiedRow {
  readonly id: number;
  readonly layer: Layer;
}

// Limits the rows that are transferred between threads at a time.
const MOST_ROWS = 20_000;

/**
 * Condition that a member changed, raised, verified or linked a captured row. Changes and links by maintenance do not
 * count.
 */
const IS_TAKEN_UP = `(m.last_verified_at IS NOT NULL
  OR m.version > 1 AND EXISTS (SELECT 1 FROM memory_versions v WHERE v.memory_id = m.id
    AND v.op IN ('revise', 'move', 'request', 'settle') AND v.author_id <> ${MAINTENANCE.id})
  OR NOT EXISTS (SELECT 1 FROM consolidations c WHERE c.summary_id = m.id) AND (
    EXISTS (SELECT 1 FROM memory_links l WHERE l.from_id = m.id AND l.origin = 'manual' AND l.type <> 'supersedes')
    OR EXISTS (SELECT 1 FROM memory_links l WHERE l.to_id = m.id AND l.origin = 'manual' AND l.type <> 'supersedes')))`;

/**
 * Finds session notes that should be memories, or that have vectors: an older release captured them, or a member used
 * them.
 */
export async function readUnsorted(connection: Reading, where: Where): Promise<Unsorted> {
  const { sql, values } = inPlace(connection.dialect, where);
  const rows = await connection.all<ReclassifiedRow & { readonly is_taken: number | boolean }>(
    `SELECT r.id, r.layer, r.is_taken
     FROM (SELECT m.id, m.layer, m.embedding_status, ${IS_TAKEN_UP} AS is_taken FROM memories m WHERE ${isOfJournal("m")} AND ${sql}) r
     WHERE r.is_taken OR r.embedding_status <> 'none' ORDER BY r.id LIMIT ${MOST_ROWS}`,
    ...values,
  );
  const without = new Set(where.without);
  const due = rows.filter(({ id }) => !without.has(id));
  return {
    scanned: rows.length,
    taken: due.filter(({ is_taken }) => is_taken).map(({ id, layer }) => ({ id, layer })),
    embedded: due.filter(({ is_taken }) => !is_taken).map(({ id }) => id),
    hasMore: rows.length === MOST_ROWS,
  };
}

// Checked again under the row lock, because a member may have used the note meanwhile.
const sqlOf = statements((d) => ({
  hold: `SELECT m.id FROM memories m WHERE ${d.isOneOf("m.id")} AND ${isOfJournal("m")} ORDER BY m.id ${d.forNoKeyUpdate}`,
  dropVectors: `DELETE FROM vectors WHERE ${d.isOneOf("memory_id")}`,
  mark: `UPDATE memories SET embedding_status = 'none' WHERE ${d.isOneOf("id")}`,
}));

/**
 * Plans to turn used notes into memories, with the lifetime of their layer from now, and to remove the vectors of the
 * others.
 */
export async function journalPlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { scanned, taken, embedded, hasMore } = await sweeper.ask("journal", where);
  const work = [
    ...taken.map((row) => ({ row, ids: [] })),
    ...chunks(embedded.length).map(({ from, to }) => ({ row: undefined, ids: embedded.slice(from, to) })),
  ];
  const due = taken.length + embedded.length;
  const plan = changingPlan(sweeper, "journal", { scanned, due }, work, async ({ tx }, { row, ids }) => {
    const { connection } = tx;
    if (row !== undefined) {
      tx.touch(row.id);
      const until = expiryOf(row.layer, tx.now);
      return (await connection.run(LEAVE_JOURNAL, until ? toSeconds(until) : null, row.id)).changes;
    }
    const sql = sqlOf(connection.dialect);
    const held = await connection.ids(sql.hold, ids);
    connection.later(sql.dropVectors, held);
    connection.later(sql.mark, held);
    return held.length;
  });
  return { ...plan, hasMore, ...(due > 0 ? { note: noteOf(taken.length, embedded.length) } : {}) };
}

const noteOf = (taken: number, embedded: number): string =>
  `${taken} notes that members took up become memories, ${embedded} others lose their vectors`;
