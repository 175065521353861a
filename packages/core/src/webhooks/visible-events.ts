import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { Memory } from "../memory/memory.ts";
import { readBetween } from "../moments/read-moment.ts";
import type { AuditEntry } from "../ports/audit.ts";
import type { Store } from "../ports/store.ts";
import { readFields } from "../tool.ts";
import * as field from "../tools/fields.ts";

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

/** Fields of a request for changes. */
export const EVENT_FIELDS = z.strictObject({
  after: z.string().max(100).optional().describe("Cursor of the last event that is known: a `seq` or `last`"),
  member: z.string().max(64).optional().describe("Only changes that this member made"),
  project: field.project().optional().describe("Only memories of this project"),
  since: field.moment().optional(),
  until: field.moment().optional(),
  time_zone: field.timeZone(),
});

/** Changes that are asked for. */
export interface EventFilter {
  readonly member?: string | undefined;
  /** Key of a project. */
  readonly project?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Reads a request for changes. Days are those of the caller's time zone. */
export function readEventQuery(
  input: unknown,
  { now, caller }: { readonly now: Date; readonly caller: Pick<Caller, "timeZone"> },
): { readonly after: string | undefined; readonly filter: EventFilter } {
  const { after, member, project, time_zone: timeZone, ...asked } = readFields(EVENT_FIELDS, input);
  const { since, until } = readBetween(asked, timeZone, { now, timeZone: caller.timeZone });
  // A star stands for all projects, as elsewhere.
  return { after, filter: { member, project: project === "*" ? undefined : project, since, until } };
}
