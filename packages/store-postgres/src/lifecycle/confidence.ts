import { faded, LEAST_CONFIDENCE, type Plan } from "@chest/core";
import { toDate, toSeconds } from "@chest/store/database/rows";
import { inChunks } from "./computed.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

interface ConfidenceRow {
  readonly id: number;
  readonly confidence: number;
  readonly since: number;
}

const KEPT_S = 90 * 86_400;

// Rows that changed since they were read stay; locked in one order, so that two passes never wait for each other.
const PUT = `WITH due AS (
    SELECT m.id, m.confidence AS before, d.after, d.at
    FROM unnest(?::bigint[], ?::float8[], ?::float8[], ?::bigint[]) AS d (id, before, after, at)
      JOIN memories m ON m.id = d.id AND m.archived_at IS NULL AND abs(m.confidence - d.before) < 1e-9
    ORDER BY m.id FOR NO KEY UPDATE OF m),
  noted AS (
    INSERT INTO confidence_changes (run_id, memory_id, before, after)
      SELECT r.id, due.id, due.before, due.after FROM due JOIN maintenance_runs r ON r.id = ?::bigint ON CONFLICT DO NOTHING)
  UPDATE memories SET confidence = due.after, confidence_decayed_at = due.at FROM due WHERE memories.id = due.id`;

const FORGET = "DELETE FROM confidence_changes WHERE run_id IN (SELECT id FROM maintenance_runs WHERE started_at < ?)";

/** Lowers the confidence in what was neither used nor verified. What was brought in counts as used when it came. */
export async function confidencePlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { sql, values } = inPlace(where);
  const rows = await sweeper.reader.all<ConfidenceRow>(
    `SELECT m.id, m.confidence, greatest(m.created_at, m.last_accessed_at, m.last_verified_at, m.known_at,
       m.confidence_decayed_at) AS since
     FROM memories m WHERE m.archived_at IS NULL AND m.confidence > ${LEAST_CONFIDENCE} AND ${UNPROTECTED} AND ${sql}
     ORDER BY m.id`,
    ...values,
  );
  const now = toDate(where.nowS);
  const without = new Set(where.without);
  const due = rows.flatMap(({ id, confidence, since }) => {
    const found = without.has(id) ? undefined : faded(confidence, toDate(since), now);
    return found ? [{ id, before: confidence, after: found.confidence, at: toSeconds(found.countedTo) }] : [];
  });
  return {
    scanned: rows.length,
    due: due.length,
    archives: [],
    hasMore: false,
    async apply({ signal, runId }) {
      const slicing = { op: "maintenance:confidence", signal };
      await inSlices(sweeper, [FORGET], slicing, async ({ tx }, forget) => {
        tx.connection.later(forget, tx.nowS - KEPT_S);
      });
      const changed = await inSlices(sweeper, inChunks(due), slicing, async ({ tx }, some) => {
        const [ids, before] = [some.map(({ id }) => id), some.map((row) => row.before)];
        const [after, at] = [some.map((row) => row.after), some.map((row) => row.at)];
        return (await tx.connection.run(PUT, ids, before, after, at, runId ?? null)).changes;
      });
      return { changed: changed.reduce((total, each) => total + each, 0), archived: [], created: [] };
    },
  };
}

const RESET = `UPDATE memories SET confidence = c.before, confidence_decayed_at = ? FROM confidence_changes c
  WHERE c.run_id = ? AND c.memory_id = memories.id AND memories.id = ? AND abs(memories.confidence - c.after) < 1e-9`;

/** Puts back what a run took, unless a member has changed it since; it counts as verified now. */
export async function resetConfidence(sweeper: Sweeper, runId: number): Promise<number[]> {
  const ids = await sweeper.reader.ids(
    "SELECT memory_id FROM confidence_changes WHERE run_id = ? ORDER BY memory_id",
    runId,
  );
  const signal = new AbortController().signal;
  const outcomes = await inSlices(
    sweeper,
    ids,
    { op: "unarchive", signal },
    async ({ tx: { connection, nowS } }, id) => {
      const { changes } = await connection.run(RESET, nowS, runId, id);
      connection.later("DELETE FROM confidence_changes WHERE run_id = ? AND memory_id = ?", runId, id);
      return changes > 0 ? id : undefined;
    },
  );
  return outcomes.filter((id) => id !== undefined);
}
