import { ChestError } from "@chest/contracts";
import { isProtected, type Restorable, type Restored, stateOf } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toSeconds } from "../database/row-mapping.ts";
import { resetConfidence } from "./confidence.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

const NEVER_ABORTED = new AbortController().signal;
const OP = "unarchive";

/** Brings memories back, slice by slice, and ends the consolidations all of whose memories are back. */
export async function restore(sweeper: Sweeper, reader: Connection, which: Restorable): Promise<Restored> {
  const ids = chosen(reader, which);
  const restored: number[] = [];
  const skipped: { id: number; reason: "not_found" | "not_archived" }[] = [];
  await inSlices(sweeper, ids, { op: OP, signal: NEVER_ABORTED }, async ({ memories }, id) => {
    const memory = await memories.byId(id);
    if (!memory) skipped.push({ id, reason: "not_found" });
    else if (stateOf(memory) === "live") skipped.push({ id, reason: "not_archived" });
    else {
      await memories.restore(memory);
      restored.push(id);
    }
  });
  const undone: number[] = [];
  await inSlices(
    sweeper,
    summariesOver(reader, restored),
    { op: OP, signal: NEVER_ABORTED },
    async (slice, summaryId) => {
      if (await endConsolidation(slice, summaryId)) undone.push(summaryId);
    },
  );
  const isOfConfidence = "runId" in which && (which.pass ?? "confidence") === "confidence";
  const reset = isOfConfidence ? await resetConfidence(sweeper, reader, which.runId) : [];
  return { restored, undone, reset, skipped };
}

function chosen(reader: Connection, which: Restorable): readonly number[] {
  if ("ids" in which) return which.ids;
  if ("summaryId" in which) {
    const row = reader.get<{ replaced_ids: string }>(
      "SELECT replaced_ids FROM consolidations WHERE summary_id = ? AND undone_at IS NULL",
      which.summaryId,
    );
    if (!row) throw missing(`consolidation ${which.summaryId}`, "give the id of its summary, as a recall shows it");
    return JSON.parse(row.replaced_ids) as number[];
  }
  if ("runId" in which) {
    const { runId, pass } = which;
    if (!reader.get("SELECT 1 FROM maintenance_runs WHERE id = ?", runId))
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

/** Summaries that stand for any of these. */
function summariesOver(reader: Connection, ids: readonly number[]): readonly number[] {
  return reader.ids(
    `SELECT DISTINCT c.summary_id FROM consolidations c, json_each(c.replaced_ids) r
     WHERE c.undone_at IS NULL AND r.value IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
}

/** Archives a summary once all its sources are live again; a member who pinned it keeps it. */
async function endConsolidation({ tx, memories }: Slice, summaryId: number): Promise<boolean> {
  const left = tx.sync.get<{ n: number }>(
    `SELECT count(*) AS n FROM consolidations c, json_each(c.replaced_ids) r JOIN memories m ON m.id = r.value
     WHERE c.summary_id = ? AND c.undone_at IS NULL AND m.archived_at IS NOT NULL`,
    summaryId,
  );
  if (left?.n !== 0) return false;
  tx.sync.run("UPDATE consolidations SET undone_at = ? WHERE summary_id = ?", tx.nowS, summaryId);
  const summary = await memories.byId(summaryId);
  if (!summary || stateOf(summary) !== "live" || isProtected(summary)) return false;
  await memories.archive(summary, "operator");
  return true;
}

const missing = (what: string, hint: string) => new ChestError("NOT_FOUND", `${what} not found`, { hint });
