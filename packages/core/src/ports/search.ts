import type { Reach, Visibility } from "../access/space.ts";
import type { Layer } from "../memory/layer.ts";
import { isOver, type Memory, stateOf } from "../memory/memory.ts";
import type { Category } from "../memory/metadata.ts";
import type { Query } from "../recall/query.ts";
import type { SourceRule } from "../transcript/candidate.ts";
import type { EmbeddingIdentity } from "./embedder.ts";
import type { InboxKind, InboxPart } from "./inbox/notes.ts";

/** One row of a ranked list, best first. */
export interface Hit {
  readonly id: number;
  /** From 1. */
  readonly rank: number;
  /** Larger is better. For vectors the cosine; for words comparable only within one list. */
  readonly score: number;
}

/** A match by words. */
export interface WordHit extends Hit {
  /**
   * Score divided by the best possible score of the question, 0–1: that of a row that repeats exactly the question.
   * Comparable between lists.
   */
  readonly ofBest: number;
  /** Share of the question's terms in the row, 0–1, weighted by rarity. */
  readonly coverage: number;
  /** Part of `coverage` that comes from neighbouring rows of the same session. */
  readonly lent?: number;
  /** Every term of the question matches in the row itself. */
  readonly isWhole?: boolean;
}

/** Conditions that a row must meet. The visible spaces follow from the caller and the reach. */
export interface Filter {
  readonly reach: Reach;
  /** Any of these. */
  readonly layers?: readonly Layer[] | undefined;
  /** Literal part of the entity's name, in any case. */
  readonly entityName?: string | undefined;
  /** Any of these. */
  readonly entityIds?: readonly number[] | undefined;
  /** Leaves out memories about a project with another name; memories about no project stay. */
  readonly aboutProject?: string | undefined;
  /** Key of the project in which it was written, whatever its visibility. */
  readonly fromProject?: string | undefined;
  /** Leaves out rows captured by these rules. */
  readonly withoutRules?: readonly SourceRule[] | undefined;
  /** All of these. */
  readonly tags?: readonly string[] | undefined;
  readonly category?: Category | undefined;
  /** Leaves out memories of this category. */
  readonly withoutCategory?: Category | undefined;
  /** Name of the author. */
  readonly author?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** Id of the storing session. */
  readonly session?: string | undefined;
  /** Created at this time or later. */
  readonly since?: Date | undefined;
  /** Created at this time or earlier. */
  readonly until?: Date | undefined;
  /** The text contains this string literally. */
  readonly holds?: string | undefined;
  readonly minImportance?: number | undefined;
  readonly minConfidence?: number | undefined;
  /** True: only flagged memories; false: none of them. */
  readonly isFlagged?: boolean | undefined;
  /** True: only memories with a source that had changed or was missing at its last check; false: none of them. */
  readonly isStale?: boolean | undefined;
  /** With `isStale`, a source not checked since this time also counts as stale. */
  readonly uncheckedSince?: Date | undefined;
  /** Only memories in this part of the caller's inbox, as items of a kind; of a list alone. */
  readonly inbox?: { readonly kind: InboxKind; readonly part: InboxPart } | undefined;
  /** Only memories that were never opened. */
  readonly isUnused?: true | undefined;
  /** Only archived or superseded memories, if those are included. */
  readonly isArchived?: true | undefined;
  readonly withArchived: boolean;
  readonly withSuperseded: boolean;
}

/** Argument that a memory, fetched by its id, does not meet; an engine decides by SQL for every other question. */
export function unmetBy(memory: Memory, filter: Filter, now: Date): string | undefined {
  const state = stateOf(memory);
  if (state === "archived" && !filter.withArchived) return "archived";
  if (state === "superseded" && !filter.withSuperseded) return "superseded";
  if (state === "live" && isOver(memory, now) && !filter.withArchived) return "expired";
  if (filter.layers && !filter.layers.includes(memory.layer)) return "layer";
  if (filter.entityName && !memory.entity.name.toLowerCase().includes(filter.entityName.toLowerCase())) return "entity";
  if (filter.tags && !filter.tags.every((tag) => memory.tags.includes(tag))) return "tags";
  if (filter.category !== undefined && memory.category !== filter.category) return "category";
  if (filter.session !== undefined && memory.session !== filter.session) return "session_id";
  if (filter.since && memory.createdAt < filter.since) return "since";
  if (filter.until && memory.createdAt > filter.until) return "until";
  if (filter.minImportance !== undefined && memory.importance < filter.minImportance) return "min_importance";
  if (filter.minConfidence !== undefined && memory.confidence < filter.minConfidence) return "min_confidence";
  return undefined;
}

/**
 * Ranked lists by words and by vector; fusion and scoring happen above. Only rows that pass the filter are listed, and
 * every count, share and average comes from rows within reach, so hidden rows have no effect.
 */
export interface SearchIndex {
  /**
   * Rows that contain a term of the query, or are neighbours of such a row in the same session, space and state. Empty
   * if no row does; undefined while an engine rebuilds its word index.
   */
  matchWords(query: Pick<Query, "units">, where: Filter, limit: number): Promise<readonly WordHit[] | undefined>;
  /**
   * Rows by cosine. Undefined if no vector of this identity is within reach, or while an engine is loading them. Throws
   * `VALIDATION_ERROR` for an invalid vector.
   */
  matchVector(
    vector: Float32Array,
    identity: EmbeddingIdentity,
    where: Filter,
    limit: number,
  ): Promise<readonly Hit[] | undefined>;
}

/** A search missed its deadline: its list is left out, and the answer says so. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}
