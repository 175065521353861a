import {
  type ArchiveReason,
  type Doing,
  type Done,
  isProtected,
  type Memory,
  type PassName,
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
