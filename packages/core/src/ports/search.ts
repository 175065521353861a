import type { Reach, Visibility } from "../access/space.ts";
import type { Layer } from "../memory/layer.ts";
import type { Category } from "../memory/metadata.ts";
import type { Query } from "../recall/query.ts";
import type { SourceRule } from "../transcript/candidate.ts";
import type { EmbeddingIdentity } from "./embedder.ts";

/** One row of a ranked list, best first. */
export interface Hit {
  readonly id: number;
  /** From 1. */
  readonly rank: number;
  /** Larger is better. Of vectors the cosine; of words comparable within its own list only. */
  readonly score: number;
}

/** A match by words. */
export interface WordHit extends Hit {
  /**
   * The score divided by the best that the question could get in any store, 0–1: that of a row that says all of it, and
   * nothing else, over and over. It means the same in every list.
   */
  readonly ofBest: number;
  /** The share of what was asked for that stands in the row, 0–1, rare things counting most. */
  readonly coverage: number;
  /** How much of `coverage` stands beside the row, not in it: in what was stored before or after it in its session. */
  readonly lent?: number;
  /** Every word that was asked for stands in the row itself, in one way or another. */
  readonly isWhole?: boolean;
}

/** Conditions that a row must meet to be ranked at all. Spaces follow from the caller and the reach. */
export interface Filter {
  readonly reach: Reach;
  /** Any of them. */
  readonly layers?: readonly Layer[] | undefined;
  /** Literal substring of the entity's name, any case. */
  readonly entityName?: string | undefined;
  /** Any of them. */
  readonly entityIds?: readonly number[] | undefined;
  /** Drops what is about another project than the one of this name, any case; what is about no project stays. */
  readonly aboutProject?: string | undefined;
  /** Key of the project that it was written in, readable by others or not. */
  readonly fromProject?: string | undefined;
  /** Drops rows that came by one of these rules. */
  readonly withoutRules?: readonly SourceRule[] | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  readonly category?: Category | undefined;
  /** Drops what is of this category. */
  readonly withoutCategory?: Category | undefined;
  /** Written by the member of this name. */
  readonly author?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** Stored in this session. */
  readonly session?: string | undefined;
  /** Created then or later. */
  readonly since?: Date | undefined;
  /** Created then or earlier. */
  readonly until?: Date | undefined;
  /** Its text holds this, letter for letter. */
  readonly holds?: string | undefined;
  readonly minImportance?: number | undefined;
  readonly minConfidence?: number | undefined;
  /** Only what is flagged, or nothing of it. */
  readonly isFlagged?: boolean | undefined;
  /** Only what has a source that has changed or gone by its last check, or nothing of it. */
  readonly isStale?: boolean | undefined;
  /** With `isStale`, a source counts as stale, too, when it was not compared since then. */
  readonly uncheckedSince?: Date | undefined;
  /** Only what was never opened. */
  readonly isUnused?: true | undefined;
  /** Only what is archived or superseded, in so far as those are wanted. */
  readonly isOutOfSight?: true | undefined;
  readonly withArchived: boolean;
  readonly withSuperseded: boolean;
}

/**
 * Two ranked lists; fusion and scoring are above. Each method fills its list with rows that pass the filter only, and every
 * count, share and average that a list depends on is of rows within reach: what others hid has no effect on it.
 */
export interface SearchIndex {
  /**
   * Rows holding any of the query's terms, or standing beside one that does, in the same session, space and state;
   * empty when it has none; undefined while an engine makes its index of words anew.
   */
  matchWords(query: Pick<Query, "units">, where: Filter, limit: number): Promise<readonly WordHit[] | undefined>;
  /**
   * Rows by cosine; undefined when no vector of this identity is stored within reach, and while an engine is still reading them.
   * `VALIDATION_ERROR` for a vector that this identity cannot have made.
   */
  matchVector(
    vector: Float32Array,
    identity: EmbeddingIdentity,
    where: Filter,
    limit: number,
  ): Promise<readonly Hit[] | undefined>;
}

/** A leg that missed its deadline: it is left out, and the answer says so. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}
