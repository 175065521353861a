import { faded, LEAST_CONFIDENCE, type Plan } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

/** As columns: a hundred thousand objects would take the event loop a while to unpack. */
export interface DueConfidence {
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

/** Runs in the thread: computes faded confidences. An imported memory counts as used at its import. */
export function readFaded(connection: Connection, where: Where): DueConfidence {
  const { sql, values } = inPlace(where);
  const rows = connection.all<ConfidenceRow>(
    `SELECT m.id, m.confidence, max(m.created_at, coalesce(m.last_accessed_at, 0), coalesce(m.last_verified_at, 0),
       coalesce(m.known_at, 0), coalesce(m.confidence_decayed_at, 0)) AS since
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

// One statement for each so many: by the row they take ten times as long.
const AT_ONCE = 200;

// A number that has been text is the same up to its last digit.
const IS_AS_READ = "m.archived_at IS NULL AND abs(m.confidence - (d.value ->> 1)) < 1e-9";
const NOTE = `INSERT OR IGNORE INTO confidence_changes (run_id, memory_id, before, after)
  SELECT ?, m.id, m.confidence, d.value ->> 2 FROM json_each(?) d CROSS JOIN memories m ON m.id = d.value ->> 0 WHERE ${IS_AS_READ}`;
const PUT = `UPDATE memories SET confidence = due.after, confidence_decayed_at = due.at
  FROM (SELECT m.id AS id, d.value ->> 2 AS after, d.value ->> 3 AS at
    FROM json_each(?) d CROSS JOIN memories m ON m.id = d.value ->> 0 WHERE ${IS_AS_READ}) due
  WHERE memories.id = due.id`;

export async function confidencePlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { scanned, ids, before, after, countedToS } = await sweeper.thread.ask("confidence", where);
  return {
    scanned,
    due: ids.length,
    archives: [],
    hasMore: false,
    async apply({ signal, runId }) {
      let at = 0;
      let changed = 0;
      const runs = { length: Math.ceil(ids.length / AT_ONCE) } as ArrayLike<undefined>;
      await inSlices(sweeper, runs, { op: "maintenance:confidence", signal }, ({ tx: { sync: connection, nowS } }) => {
        if (at === 0)
          connection.run(
            "DELETE FROM confidence_changes WHERE run_id IN (SELECT id FROM maintenance_runs WHERE started_at < ?)",
            nowS - KEPT_S,
          );
        const rows = Array.from(ids.subarray(at, at + AT_ONCE), (id, nth) => {
          const row = at + nth;
          return [id, before[row], after[row], countedToS[row]];
        });
        const due = JSON.stringify(rows);
        if (runId !== undefined) connection.run(NOTE, runId, due);
        changed += Number(connection.run(PUT, due).changes);
        at += AT_ONCE;
      });
      return { changed, archived: [], created: [] };
    },
  };
}

const RESET = `UPDATE memories SET confidence = c.before, confidence_decayed_at = ? FROM confidence_changes c
  WHERE c.run_id = ? AND c.memory_id = memories.id AND memories.id = ? AND abs(memories.confidence - c.after) < 1e-9`;

/** Puts back what a run took, unless a member has changed it since; it counts as verified now. */
export async function resetConfidence(sweeper: Sweeper, reader: Connection, runId: number): Promise<number[]> {
  const ids = reader.ids("SELECT memory_id FROM confidence_changes WHERE run_id = ? ORDER BY memory_id", runId);
  const reset: number[] = [];
  const signal = new AbortController().signal;
  await inSlices(sweeper, ids, { op: "unarchive", signal }, ({ tx: { sync: connection, nowS } }, id) => {
    if (Number(connection.run(RESET, nowS, runId, id).changes) > 0) reset.push(id);
    connection.run("DELETE FROM confidence_changes WHERE run_id = ? AND memory_id = ?", runId, id);
  });
  return reset;
}
