import { expiryOf, type Layer, MAINTENANCE, type Plan } from "@chest/core";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toSeconds } from "../database/rows.ts";
import { LEAVE_JOURNAL } from "../memories/memory-writes.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import { changingPlan, chunks, type Sweeper } from "./sweeper.ts";

/** Rows of the journal that are not as a capture leaves them. */
interface Unsorted {
  /** Looked at. */
  readonly scanned: number;
  /** Rows that a member took up: they are memories. */
  readonly taken: readonly TakenRow[];
  /** Rows that have, or wait for, a vector. */
  readonly embedded: readonly number[];
  readonly hasMore: boolean;
}

interface TakenRow {
  readonly id: number;
  readonly layer: Layer;
}

// More than this at a time is a lot to hand from thread to thread.
const MOST_ROWS = 20_000;

/**
 * Whether a member changed, raised, verified or linked a captured row. Maintenance changes rows, too; a link of a summary, or one that
 * stands for a replacement, was made for another reason.
 */
const IS_TAKEN_UP = `(m.last_verified_at IS NOT NULL
  OR m.version > 1 AND EXISTS (SELECT 1 FROM memory_versions v WHERE v.memory_id = m.id
    AND v.op IN ('revise', 'move', 'request', 'settle') AND v.author_id <> ${MAINTENANCE.id})
  OR NOT EXISTS (SELECT 1 FROM consolidations c WHERE c.summary_id = m.id) AND (
    EXISTS (SELECT 1 FROM memory_links l WHERE l.from_id = m.id AND l.origin = 'manual' AND l.type <> 'supersedes')
    OR EXISTS (SELECT 1 FROM memory_links l WHERE l.to_id = m.id AND l.origin = 'manual' AND l.type <> 'supersedes')))`;

/** Finds rows of the journal that are memories, or have vectors: an older version captured them, or a member took them up. */
export async function readUnsorted(connection: Reading, where: Where): Promise<Unsorted> {
  const { sql, values } = inPlace(connection.dialect, where);
  const rows = await connection.all<TakenRow & { readonly is_taken: number | boolean }>(
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

// Under the row's lock the condition holds still: a member may have made it a memory meanwhile.
const sqlOf = statements((d) => ({
  hold: `SELECT m.id FROM memories m WHERE ${d.isOneOf("m.id")} AND ${isOfJournal("m")} ORDER BY m.id ${d.forNoKeyUpdate}`,
  dropVectors: `DELETE FROM vectors WHERE ${d.isOneOf("memory_id")}`,
  mark: `UPDATE memories SET embedding_status = 'none' WHERE ${d.isOneOf("id")}`,
}));

/** Makes memories of the rows that members took up, with the lifetime of their layer from now on; the rest of the journal keeps no vectors. */
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
