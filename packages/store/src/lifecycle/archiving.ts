import {
  type ArchiveReason,
  type Doing,
  type Done,
  isProtected,
  type Memory,
  type PassName,
  type Plan,
  stateOf,
} from "@chest/core";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

export interface Archiving {
  readonly pass: PassName;
  readonly reason: ArchiveReason;
  /** Whether it still holds: asked inside the transaction, of a live and unprotected memory. */
  isStillDue(memory: Memory): boolean;
}

/** Memories that a pass would put out of sight, in the order in which they go. */
export interface DueIds {
  readonly scanned: number;
  readonly ids: readonly number[];
  /** How many there are in all, where not all are named. */
  readonly total?: number | undefined;
}

/** Plans to archive the first of what is due, as many as may go in one run; the rest waits for the next. */
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

/** Puts memories out of sight, slice by slice, and notes which under the run. */
async function archiveAll(
  sweeper: Sweeper,
  ids: readonly number[],
  { pass, reason, isStillDue }: Archiving,
  { signal, runId }: Doing,
): Promise<Done> {
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

/** The pass by its name, or a caller's own sweep. */
export const opOf = (pass: PassName, runId: number | undefined): string =>
  runId === undefined ? `sweep:${pass}` : `maintenance:${pass}`;

export function noteChange({ tx }: Slice, pass: PassName, runId: number | undefined, memoryId: number): void {
  if (runId === undefined) return;
  const sql = "INSERT INTO maintenance_changes (run_id, memory_id, pass) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
  tx.connection.later(sql, runId, memoryId, pass);
}
