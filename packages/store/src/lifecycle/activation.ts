import { activation, COUNTED_ACCESSES, isActivationStale } from "@chest/core/lifecycle";
import type { Plan } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { changingPlan, chunks, type Sweeper } from "./sweeper.ts";

/** Column-wise, because transferring a hundred thousand objects from a thread would block the event loop. */
interface DueActivation {
  readonly scanned: number;
  readonly ids: Float64Array;
  readonly scores: Float64Array;
}

interface ActivationRow {
  readonly id: number;
  readonly used_at: number;
  readonly was_opened: number | boolean;
  readonly computed_at: number | null;
}

/** Finds memories whose activation has changed. */
export async function readActivations(connection: Reading, where: Where): Promise<DueActivation> {
  const { sql, values } = inPlace(connection.dialect, where);
  const rows = await connection.all<ActivationRow>(
    `SELECT m.id, coalesce(m.last_accessed_at, m.created_at) AS used_at, m.access_count > 0 AS was_opened, a.computed_at
     FROM memories m LEFT JOIN memory_activation a ON a.memory_id = m.id
     WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${sql}`,
    ...values,
  );
  const { nowS } = where;
  const due = rows.filter((row) => isActivationStale(row.computed_at ?? undefined, row.used_at, nowS));
  const opened = due.filter((row) => row.was_opened);
  const traces = await tracesOf(
    connection,
    nowS,
    opened.map(({ id }) => id),
  );
  const scores = due.map(({ id, used_at }) => activation(traces.get(id) ?? Math.max(1, nowS - used_at) ** -0.5));
  return { scanned: rows.length, ids: Float64Array.from(due, ({ id }) => id), scores: Float64Array.from(scores) };
}

interface Traces {
  readonly id: number;
  readonly uses: number;
  readonly traces: number;
}

const sqlOf = statements((d) => {
  const trace = `1 / sqrt(${d.greatest("1", "CAST(? AS bigint) - accessed_at")})`;
  return {
    // One query for all: single queries would cost more than their results.
    all: `SELECT memory_id AS id, count(*) AS uses, sum(${trace}) AS traces FROM memory_access_log
      WHERE ${d.isOneOf("memory_id")} GROUP BY memory_id`,
    // Some memories have more recorded uses than count, until retention removes the oldest.
    newest: `SELECT sum(${trace}) AS traces FROM (
      SELECT accessed_at FROM memory_access_log WHERE memory_id = ? ORDER BY accessed_at DESC LIMIT ${COUNTED_ACCESSES}) l`,
    put: `INSERT INTO memory_activation (memory_id, score, computed_at)
      SELECT m.id, due.score, CAST(? AS bigint) FROM ${d.rowsOf({ id: "bigint", score: "float8" }, "due")}
        CROSS JOIN memories m WHERE m.id = due.id ORDER BY m.id
      ON CONFLICT (memory_id) DO UPDATE SET score = excluded.score, computed_at = excluded.computed_at`,
  };
});

/** Reads the use traces of memories; memories without a recorded use are left out. */
async function tracesOf(
  connection: Reading,
  nowS: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const sql = sqlOf(connection.dialect);
  const found = new Map<number, number>();
  for (const { id, uses, traces } of await connection.all<Traces>(sql.all, nowS, ids)) {
    const newest =
      uses > COUNTED_ACCESSES ? await connection.get<Pick<Traces, "traces">>(sql.newest, nowS, id) : undefined;
    found.set(id, newest?.traces ?? traces);
  }
  return found;
}

export async function activationPlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { scanned, ids, scores } = await sweeper.ask("activation", where);
  const found = { scanned, due: ids.length };
  return changingPlan(sweeper, "activation", found, chunks(ids.length), ({ tx: { connection } }, { from, to }) => {
    const due = Array.from(ids.subarray(from, to), (id, nth) => [id, scores[from + nth]]);
    connection.later(sqlOf(connection.dialect).put, where.nowS, JSON.stringify(due));
    return due.length;
  });
}
