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

/** Puts memories out of sight, slice by slice, and notes which under the run. */
export async function archiveAll(
  sweeper: Sweeper,
  ids: readonly number[],
  { pass, reason, isStillDue }: Archiving,
  { signal, runId }: Doing,
): Promise<Done> {
  const archived: number[] = [];
  await inSlices(sweeper, ids, { op: opOf(pass, runId), signal }, async (slice, id) => {
    const memory = await slice.memories.byId(id);
    if (!memory || stateOf(memory) !== "live" || isProtected(memory) || !isStillDue(memory)) return;
    await slice.memories.archive(memory, reason);
    noteChange(slice, pass, runId, id);
    archived.push(id);
  });
  return { changed: archived.length, archived, created: [] };
}

/** Plans to archive the first of what is due, as many as may go in one run; the rest waits for the next. */
export function cappedPlan(
  sweeper: Sweeper,
  { scanned, ids: due }: { readonly scanned: number; readonly ids: readonly number[] },
  cap: number,
  archiving: Archiving,
): Plan {
  const ids = due.slice(0, cap);
  const waiting = due.length - ids.length;
  return {
    scanned,
    due: ids.length,
    archives: ids,
    hasMore: waiting > 0,
    ...(waiting > 0 ? { note: `${waiting} more wait for the next run` } : {}),
    apply: (doing) => archiveAll(sweeper, ids, archiving, doing),
  };
}

/** The pass by its name, or a caller's own sweep. */
export const opOf = (pass: PassName, runId: number | undefined): string =>
  runId === undefined ? `sweep:${pass}` : `maintenance:${pass}`;

export function noteChange({ tx }: Slice, pass: PassName, runId: number | undefined, memoryId: number): void {
  if (runId === undefined) return;
  tx.sync.run(
    "INSERT OR IGNORE INTO maintenance_changes (run_id, memory_id, pass) VALUES (?, ?, ?)",
    runId,
    memoryId,
    pass,
  );
}
