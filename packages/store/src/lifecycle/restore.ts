import { ChestError } from "@chest/contracts";
import { isProtected, stateOf } from "@chest/core/memory";
import type { Restorable, Restored } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import { toSeconds } from "../database/rows.ts";
import { resetConfidence } from "./confidence.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

const NEVER_ABORTED = new AbortController().signal;
const SLICING = { op: "unarchive", signal: NEVER_ABORTED };

/** Restores memories in slices, and ends consolidations whose members are all restored. */
export async function restore(sweeper: Sweeper, which: Restorable): Promise<Restored> {
  const { reader } = sweeper;
  const outcomes = await inSlices(sweeper, await selectedIds(reader, which), SLICING, async ({ memories }, id) => {
    const memory = await memories.byId(id);
    if (!memory) return { id, reason: "not_found" as const };
    if (stateOf(memory) === "live") return { id, reason: "not_archived" as const };
    await memories.restore(memory);
    return { id, reason: undefined };
  });
  const restored = outcomes.filter(({ reason }) => reason === undefined).map(({ id }) => id);
  const ended = await inSlices(sweeper, await summariesOver(reader, restored), SLICING, async (slice, summaryId) =>
    (await endConsolidation(slice, summaryId)) ? summaryId : undefined,
  );
  const isOfConfidence = "runId" in which && (which.pass ?? "confidence") === "confidence";
  return {
    restored,
    undone: ended.filter((id) => id !== undefined),
    reset: isOfConfidence ? await resetConfidence(sweeper, which.runId) : [],
    skipped: outcomes.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }])),
  };
}

async function selectedIds(reader: Reading, which: Restorable): Promise<readonly number[]> {
  if ("ids" in which) return which.ids;
  if ("summaryId" in which) {
    const row = await reader.get<{ replaced_ids: readonly number[] | string }>(
      "SELECT replaced_ids FROM consolidations WHERE summary_id = ? AND undone_at IS NULL",
      which.summaryId,
    );
    if (!row) throw missing(`consolidation ${which.summaryId}`, "give the id of its summary, as a recall shows it");
    return listIn(row.replaced_ids);
  }
  if ("runId" in which) {
    const { runId, pass } = which;
    if (!(await reader.get("SELECT 1 FROM maintenance_runs WHERE id = ?", runId)))
      throw missing(`maintenance run ${runId}`, "`chest-index status` shows the last ones");
    return reader.ids(
      "SELECT memory_id FROM maintenance_changes WHERE run_id = ? AND pass LIKE ? ORDER BY memory_id",
      runId,
      pass ?? "%",
    );
  }
  return reader.ids(
    "SELECT id FROM memories WHERE archived_reason = ? AND archived_at >= ? ORDER BY id",
    which.reason,
    which.since ? toSeconds(which.since) : 0,
  );
}

/** Summaries with any of these members. */
const summariesOver = (reader: Reading, ids: readonly number[]): Promise<readonly number[]> =>
  reader.ids(sqlOf(reader.dialect).over, ids);

const sqlOf = statements((d) => ({
  over: `SELECT DISTINCT c.summary_id FROM consolidations c WHERE c.undone_at IS NULL
    AND EXISTS (SELECT 1 FROM ${d.each("c.replaced_ids", "r")} WHERE ${d.isOneOf("r.value")}) ORDER BY c.summary_id`,
  left: `SELECT count(*) AS n FROM consolidations c CROSS JOIN ${d.each("c.replaced_ids", "r")} JOIN memories m ON m.id = r.value
    WHERE c.summary_id = ? AND c.undone_at IS NULL AND m.archived_at IS NOT NULL`,
}));

/** Archives a summary once all its sources are live again, unless a member pinned it. */
async function endConsolidation({ tx, memories }: Slice, summaryId: number): Promise<boolean> {
  const left = await tx.connection.get<{ n: number }>(sqlOf(tx.connection.dialect).left, summaryId);
  if (left?.n !== 0) return false;
  tx.connection.later("UPDATE consolidations SET undone_at = ? WHERE summary_id = ?", tx.nowS, summaryId);
  const summary = await memories.byId(summaryId);
  if (!summary || stateOf(summary) !== "live" || isProtected(summary)) return false;
  await memories.archive(summary, "operator");
  return true;
}

const missing = (what: string, hint: string) => new ChestError("NOT_FOUND", `${what} not found`, { hint });
