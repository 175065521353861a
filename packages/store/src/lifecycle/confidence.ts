import { faded } from "@chest/core/lifecycle";
import { LEAST_CONFIDENCE } from "@chest/core/memory";
import type { Plan } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate, toSeconds } from "../database/rows.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { changingPlan, chunks, inSlices, type Sweeper } from "./sweeper.ts";

/** Column-wise, because transferring a hundred thousand objects from a thread would block the event loop. */
interface DueConfidence {
  readonly scanned: number;
  readonly ids: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly countedToS: Float64Array;
}

interface ConfidenceRow {
  readonly id: number;
  readonly confidence: number;
  readonly since: number;
}

const WEEK_S = 7 * 86_400;
const KEPT_S = 90 * 86_400;

/** Finds memories whose confidence fades. An imported memory counts as used at its import. */
export async function readFaded(connection: Reading, where: Where): Promise<DueConfidence> {
  const d = connection.dialect;
  const { sql, values } = inPlace(d, where);
  const moments = ["last_accessed_at", "last_verified_at", "known_at", "confidence_decayed_at"];
  const since = d.greatest("m.created_at", ...moments.map((column) => `coalesce(m.${column}, 0)`));
  const rows = await connection.all<ConfidenceRow>(
    `SELECT m.id, m.confidence, ${since} AS since
     FROM memories m WHERE m.archived_at IS NULL AND m.confidence > ${LEAST_CONFIDENCE} AND ${UNPROTECTED} AND ${sql}`,
    ...values,
  );
  const now = toDate(where.nowS);
  const without = new Set(where.without);
  const due = rows.flatMap((row) => {
    if (where.nowS - row.since < WEEK_S || without.has(row.id)) return [];
    const found = faded(row.confidence, toDate(row.since), now);
    return found ? [{ id: row.id, before: row.confidence, ...found }] : [];
  });
  return {
    scanned: rows.length,
    ids: Float64Array.from(due, ({ id }) => id),
    before: Float64Array.from(due, (row) => row.before),
    after: Float64Array.from(due, ({ confidence }) => confidence),
    countedToS: Float64Array.from(due, ({ countedTo }) => toSeconds(countedTo)),
  };
}

const sqlOf = statements((d) => {
  const due = d.rowsOf({ id: "bigint", before: "float8", after: "float8", at: "bigint" }, "due");
  // A number that was converted through text may differ in its last digit.
  const isAsRead = "m.id = due.id AND m.archived_at IS NULL AND abs(m.confidence - due.before) < 1e-9";
  return {
    hold: `SELECT id FROM memories WHERE ${d.isOneOf("id")} ORDER BY id ${d.forNoKeyUpdate}`,
    note: `INSERT INTO confidence_changes (run_id, memory_id, before, after)
      SELECT r.id, m.id, m.confidence, due.after FROM ${due} CROSS JOIN memories m CROSS JOIN maintenance_runs r
      WHERE ${isAsRead} AND r.id = ? ON CONFLICT DO NOTHING`,
    put: `UPDATE memories SET confidence = changed.after, confidence_decayed_at = changed.at
      FROM (SELECT m.id, due.after, due.at FROM ${due} CROSS JOIN memories m WHERE ${isAsRead}) AS changed
      WHERE memories.id = changed.id`,
  };
});

const FORGET = "DELETE FROM confidence_changes WHERE run_id IN (SELECT id FROM maintenance_runs WHERE started_at < ?)";

/** Plans to lower the confidence in memories that were neither used nor verified. */
export async function confidencePlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { scanned, ids, before, after, countedToS } = await sweeper.ask("confidence", where);
  const found = { scanned, due: ids.length };
  const all = chunks(ids.length);
  return changingPlan(
    sweeper,
    "confidence",
    found,
    all,
    async ({ tx: { connection, nowS } }, { from, to }, { runId }) => {
      const sql = sqlOf(connection.dialect);
      const some = Array.from(ids.subarray(from, to));
      if (from === 0) connection.later(FORGET, nowS - KEPT_S);
      // Locks rows in one order, so that two passes never deadlock.
      if (connection.dialect.forNoKeyUpdate !== "") connection.later(sql.hold, some);
      const rows = some.map((id, nth) => [id, before[from + nth], after[from + nth], countedToS[from + nth]]);
      const due = JSON.stringify(rows);
      if (runId !== undefined) connection.later(sql.note, due, runId);
      return (await connection.run(sql.put, due)).changes;
    },
  );
}

const RESET = `UPDATE memories SET confidence = c.before, confidence_decayed_at = ? FROM confidence_changes c
  WHERE c.run_id = ? AND c.memory_id = memories.id AND memories.id = ? AND abs(memories.confidence - c.after) < 1e-9`;

/** Restores the confidence from before a run, unless a member has changed it; the memory counts as verified now. */
export async function resetConfidence(sweeper: Sweeper, runId: number): Promise<number[]> {
  const ids = await sweeper.reader.ids(
    "SELECT memory_id FROM confidence_changes WHERE run_id = ? ORDER BY memory_id",
    runId,
  );
  const slicing = { op: "unarchive", signal: new AbortController().signal };
  const outcomes = await inSlices(sweeper, ids, slicing, async ({ tx: { connection, nowS } }, id) => {
    const { changes } = await connection.run(RESET, nowS, runId, id);
    connection.later("DELETE FROM confidence_changes WHERE run_id = ? AND memory_id = ?", runId, id);
    return changes > 0 ? id : undefined;
  });
  return outcomes.filter((id) => id !== undefined);
}
