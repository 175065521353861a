import { isPinned, type Memory, stateOf } from "../memory/memory.ts";
import { titleOf } from "../memory/summary-text.ts";
import type { Names } from "../ports/listings.ts";
import type { Store } from "../ports/store.ts";
import { cut } from "../text/cut.ts";
import { dayOf } from "./answer-text.ts";
import { framed } from "./sanitize-for-prompt.ts";
import { openSuccessors } from "./successors.ts";
import { round, seconds, some } from "./wire.ts";

const MAX_EXCERPT = 300;

interface RowParts extends Names {
  /** Successors that the reader may open. */
  readonly successors: ReadonlySet<number>;
}

/** A memory in a list: all fields, and the beginning of its content. */
function rowOf(memory: Memory, { authors, projects, successors }: RowParts, mostChars: number) {
  const state = stateOf(memory);
  const { archivedAt, archivedReason, expiresAt, projectId, supersededById, lastAccessedAt } = memory;
  const content = cut(memory.content, mostChars);
  return {
    id: memory.id,
    title: titleOf(memory),
    content,
    ...(content === memory.content ? {} : { content_truncated: true as const }),
    entity: { id: memory.entity.id, name: memory.entity.name, kind: memory.entity.kind },
    layer: memory.layer,
    ...(memory.category === undefined ? {} : { category: memory.category }),
    ...(memory.name === undefined ? {} : { name: memory.name }),
    tags: [...memory.tags],
    importance: memory.importance,
    pinned: isPinned(memory),
    confidence: round(memory.confidence, 3),
    certainty: memory.certainty,
    source_type: memory.sourceType,
    visibility: memory.visibility,
    ...(memory.requestedVisibility === undefined ? {} : { requested_visibility: memory.requestedVisibility }),
    ...(projectId === undefined ? {} : { project: projects.get(projectId) ?? "" }),
    author: authors.get(memory.authorId) ?? "",
    ...(memory.session === undefined ? {} : { session_id: memory.session }),
    created_at: seconds(memory.createdAt),
    updated_at: seconds(memory.updatedAt),
    ...(expiresAt === undefined ? {} : { expires_at: seconds(expiresAt) }),
    access_count: memory.accessCount,
    ...(lastAccessedAt === undefined ? {} : { last_accessed_at: seconds(lastAccessedAt) }),
    version: memory.version,
    ...some("flagged", memory.flags),
    state,
    ...(archivedAt === undefined ? {} : { archived_at: seconds(archivedAt) }),
    ...(archivedReason === undefined ? {} : { archived_reason: archivedReason }),
    ...(supersededById !== undefined && successors.has(supersededById) ? { superseded_by_id: supersededById } : {}),
  };
}

export type MemoryListRow = ReturnType<typeof rowOf>;

/**
 * Memories as rows, in the given order.
 * @param mostChars longest content that is shown in full
 */
export async function rowsOf(
  memories: readonly Memory[],
  store: Pick<Store, "listings" | "memories">,
  mostChars = MAX_EXCERPT,
): Promise<MemoryListRow[]> {
  const named = memories.flatMap(({ supersededById }) => supersededById ?? []);
  const [names, successors] = await Promise.all([
    store.listings.names(memories),
    openSuccessors(named, store.memories),
  ]);
  return memories.map((memory) => rowOf(memory, { ...names, successors }, mostChars));
}

/** Renders a row as one framed line. */
export function rowLine({
  id,
  title,
  layer,
  category,
  entity,
  tags,
  created_at,
  pinned,
  state,
  flagged = [],
}: MemoryListRow): string {
  const about = [
    category ?? layer,
    entity.name,
    dayOf(created_at),
    pinned ? "pinned" : "",
    state === "live" ? "" : state,
    ...flagged.map((flag) => `flagged: ${flag}`),
    ...tags.map((tag) => `#${tag}`),
  ];
  return `[memory:${id}] ${framed(about.filter(Boolean).join(", "))}: ${framed(title)}`;
}
