import type { AuditEntry } from "../ports/audit.ts";
import type { Store } from "../ports/store.ts";

/** A change of memories that a caller may see. */
export interface VisibleEvent {
  /** Number of its entry in the log, which counts entries that the caller does not see as well. */
  readonly seq: number;
  readonly at: string;
  readonly op: string;
  readonly member: string | null;
  readonly memory_ids: number[];
}

/**
 * Changes as a caller may know them: of each entry only the memories that this caller may open now and could open then,
 * and no entry without.
 */
export async function seenEvents(store: Store, entries: readonly AuditEntry[]): Promise<VisibleEvent[]> {
  const done = entries.filter(({ outcome, memoryIds }) => outcome === "ok" && memoryIds.length > 0);
  if (done.length === 0) return [];
  const ids = [...new Set(done.flatMap(({ memoryIds }) => memoryIds))];
  const [open, closedUntil] = await Promise.all([store.memories.byIds(ids), store.memories.closedUntil(ids)]);
  const seen = new Set(open.map(({ id }) => id));
  return done.flatMap(({ seq, at, op, member = null, memoryIds }) => {
    const memory_ids = memoryIds.filter((id) => seen.has(id) && at >= (closedUntil.get(id) ?? at));
    return memory_ids.length === 0 ? [] : [{ seq, at: at.toISOString(), op, member, memory_ids }];
  });
}
