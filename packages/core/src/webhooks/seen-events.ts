import type { EventView } from "@chest/contracts";
import type { AuditEntry } from "../ports/audit.ts";
import type { Store } from "../ports/store.ts";

/** Changes as a caller may know them: of each entry only the memories that this caller may open now, and none without. */
export async function seenEvents(store: Store, entries: readonly AuditEntry[]): Promise<EventView[]> {
  const done = entries.filter(({ outcome, memoryIds }) => outcome === "ok" && memoryIds.length > 0);
  if (done.length === 0) return [];
  const ids = [...new Set(done.flatMap(({ memoryIds }) => memoryIds))];
  const seen = new Set((await store.memories.byIds(ids)).map(({ id }) => id));
  return done.flatMap(({ seq, at, op, member = null, memoryIds }) => {
    const memory_ids = memoryIds.filter((id) => seen.has(id));
    return memory_ids.length === 0 ? [] : [{ seq, at: at.toISOString(), op, member, memory_ids }];
  });
}
