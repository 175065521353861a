import { type ArchiveReason, isProtected, type Memory, stateOf } from "@chest/core/memory";
import type { Doing, PassName, PassOutcome, Plan } from "@chest/core/ports";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

export interface Archiving {
  readonly pass: PassName;
  readonly reason: ArchiveReason;
  /** Checks again inside the transaction, for a live and unprotected memory. */
  isStillDue(memory: Memory): boolean;
}

/** Ids that a pass would archive, in order. */
export interface DueIds {
  readonly scanned: number;
  readonly ids: readonly number[];
  /** Total number, if not all ids are listed. */
  readonly total?: number | undefined;
}

/** Plans to archive the first of these memories, up to the cap; the rest waits for the next run. */
export function archivingPlan(
  sweeper: Sweeper,
  { scanned, ids: due, total = due.length }: DueIds,
  cap: number,
  archiving: Archiving,
): Plan {
  const ids = due.slice(0, cap);
  const waiting = total - ids.length;
  return {
    scanned,
    due: ids.length,
    archives: ids,
    hasMore: waiting > 0,
    ...(waiting > 0 ? { note: `${waiting} more wait for the next run` } : {}),
    apply: (doing) => archiveAll(sweeper, ids, archiving, doing),
  };
}

/** Archives memories in slices, and records them under the run. */
async function archiveAll(
  sweeper: Sweeper,
  ids: readonly number[],
  { pass, reason, isStillDue }: Archiving,
  { signal, runId }: Doing,
): Promise<PassOutcome> {
  const outcomes = await inSlices(sweeper, ids, { op: opOf(pass, runId), signal }, async (slice, id) => {
    const memory = await slice.memories.byId(id);
    if (!memory || stateOf(memory) !== "live" || isProtected(memory) || !isStillDue(memory)) return undefined;
    await slice.memories.archive(memory, reason);
    noteChange(slice, pass, runId, id);
    return id;
  });
  const archived = outcomes.filter((id) => id !== undefined);
  return { changed: archived.length, archived, created: [] };
}

/** Operation name in the audit log: the pass, or a caller's own sweep. */
export const opOf = (pass: PassName, runId: number | undefined): string =>
  runId === undefined ? `sweep:${pass}` : `maintenance:${pass}`;

export function noteChange({ tx }: Slice, pass: PassName, runId: number | undefined, memoryId: number): void {
  if (runId === undefined) return;
  const sql = "INSERT INTO maintenance_changes (run_id, memory_id, pass) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
  tx.connection.later(sql, runId, memoryId, pass);
}
