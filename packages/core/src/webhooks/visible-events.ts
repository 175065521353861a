import type { Memory } from "../memory/memory.ts";
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
 * @param project key of the project whose memories alone count
 */
export async function seenEvents(
  store: Store,
  entries: readonly AuditEntry[],
  project?: string,
): Promise<VisibleEvent[]> {
  const done = entries.filter(({ outcome, memoryIds }) => outcome === "ok" && memoryIds.length > 0);
  if (done.length === 0) return [];
  const ids = [...new Set(done.flatMap(({ memoryIds }) => memoryIds))];
  const [open, closedUntil] = await Promise.all([store.memories.byIds(ids), store.memories.closedUntil(ids)]);
  const seen = project === undefined ? new Set(open.map(({ id }) => id)) : await idsOf(project, store, open);
  return done.flatMap(({ seq, at, op, member = null, memoryIds }) => {
    const memory_ids = memoryIds.filter((id) => seen.has(id) && at >= (closedUntil.get(id) ?? at));
    return memory_ids.length === 0 ? [] : [{ seq, at: at.toISOString(), op, member, memory_ids }];
  });
}

/** Ids of the memories of a project: of those in its own space by any spelling of its key, of those of the team by the key. */
async function idsOf(project: string, store: Store, memories: readonly Memory[]): Promise<ReadonlySet<number>> {
  const within = await store.memories.byIds(
    memories.map(({ id }) => id),
    { projectKey: project },
  );
  const { projects } = await store.listings.names(memories);
  const named = memories.filter(({ projectId }) => projectId !== undefined && projects.get(projectId) === project);
  return new Set([...within, ...named].map(({ id }) => id));
}
