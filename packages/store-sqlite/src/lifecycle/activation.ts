import { activation, COUNTED_ACCESSES, isActivationStale, type Plan } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

/** As columns: a hundred thousand objects would take the event loop a while to unpack. */
export interface DueActivation {
  readonly scanned: number;
  readonly ids: Float64Array;
  readonly scores: Float64Array;
}

interface ActivationRow {
  readonly id: number;
  readonly used_at: number;
  readonly was_opened: number;
  readonly computed_at: number | null;
}

/** Runs in the thread: computes the activations that have changed. */
export function readActivations(connection: Connection, where: Where): DueActivation {
  const { sql, values } = inPlace(where);
  const rows = connection.all<ActivationRow>(
    `SELECT m.id, coalesce(m.last_accessed_at, m.created_at) AS used_at, m.access_count > 0 AS was_opened, a.computed_at
     FROM memories m LEFT JOIN memory_activation a ON a.memory_id = m.id
     WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${sql}`,
    ...values,
  );
  const { nowS } = where;
  const due = rows.filter((row) => isActivationStale(row.computed_at ?? undefined, row.used_at, nowS));
  const opened = due.filter((row) => row.was_opened);
  const traces = tracesOf(
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

const TRACE = "1 / sqrt(max(1, ? - accessed_at))";
// All together: a question for each costs more than its answer.
const ALL_TRACES = `SELECT memory_id AS id, count(*) AS uses, sum(${TRACE}) AS traces FROM memory_access_log
  WHERE memory_id IN (SELECT value FROM json_each(?)) GROUP BY memory_id`;
// Uses of a memory that has more than count, before retention has trimmed them.
const NEWEST_TRACES = `SELECT sum(${TRACE}) AS traces FROM (
  SELECT accessed_at FROM memory_access_log WHERE memory_id = ? ORDER BY accessed_at DESC LIMIT ${COUNTED_ACCESSES})`;

/** Reads the traces of memories' uses; memories without a recorded use are left out. */
function tracesOf(connection: Connection, nowS: number, ids: readonly number[]): ReadonlyMap<number, number> {
  return new Map(
    connection.all<Traces>(ALL_TRACES, nowS, JSON.stringify(ids)).map(({ id, uses, traces }) => {
      if (uses <= COUNTED_ACCESSES) return [id, traces];
      return [id, connection.get<Pick<Traces, "traces">>(NEWEST_TRACES, nowS, id)?.traces ?? traces];
    }),
  );
}

// One statement for each so many: by the row they take ten times as long.
const AT_ONCE = 200;

const PUT = `INSERT INTO memory_activation (memory_id, score, computed_at)
  SELECT m.id, due.value ->> 1, ? FROM json_each(?) due CROSS JOIN memories m ON m.id = due.value ->> 0 WHERE true
  ON CONFLICT (memory_id) DO UPDATE SET score = excluded.score, computed_at = excluded.computed_at`;

export async function activationPlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { scanned, ids, scores } = await sweeper.thread.ask("activation", where);
  return {
    scanned,
    due: ids.length,
    archives: [],
    hasMore: false,
    async apply({ signal }) {
      let changed = 0;
      const runs = { length: Math.ceil(ids.length / AT_ONCE) } as ArrayLike<undefined>;
      await inSlices(sweeper, runs, { op: "maintenance:activation", signal }, ({ tx }) => {
        const due = Array.from(ids.subarray(changed, changed + AT_ONCE), (id, at) => [id, scores[changed + at]]);
        tx.sync.run(PUT, where.nowS, JSON.stringify(due));
        changed += due.length;
      });
      return { changed, archived: [], created: [] };
    },
  };
}
