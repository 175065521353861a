import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reason } from "../statements/contradiction.ts";
import type { NearPair } from "../statements/near-pairs.ts";
import type { InboxPart } from "./inbox/notes.ts";
import type { NewMemory } from "./store.ts";

/** Two live memories that contradict each other and are not settled yet. */
export interface OpenConflict {
  /** The memory that was written later. */
  readonly newer: Memory;
  readonly older: Memory;
  /** Evidence: a rule about words, or a similarity that a maintenance pass measured. */
  readonly note: string | undefined;
  readonly notedAt: Date;
}

export interface ConflictPage {
  readonly reach: Reach;
  /** Only pairs in this part of the inbox; undefined: all. */
  readonly part?: InboxPart | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface Duplicate {
  readonly newer: Memory;
  readonly older: Memory;
  readonly likeness: number;
  readonly by: NearPair["by"];
}

export interface ConflictReads {
  /**
   * Ids of live memories that contradict these, by memory, ascending. Memories without any are left out, as are those
   * that the caller may not open.
   */
  opponents(ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Unsettled pairs that the caller may open, the latest first; `total` counts them. */
  conflicts(page: ConflictPage): Promise<{ readonly total: number; readonly pairs: readonly OpenConflict[] }>;
  /**
   * Pairs of live memories of the same space and subject that say nearly the same, most similar first, without settled
   * pairs. A group of several similar memories is joined by one pair fewer than its members. Only the newest five
   * thousand memories are compared.
   * @param page.tagLikeness least share of common tags that also makes a pair; it needs at least two tags that no more
   * than twenty memories have
   */
  duplicates(
    page: ConflictPage & { readonly tagLikeness: number },
  ): Promise<{ readonly total: number; readonly groups: number; readonly pairs: readonly Duplicate[] }>;
}

export interface ConflictWrites extends Pick<ConflictReads, "opponents"> {
  /**
   * Other live memories of the same entity and space with similar words, most similar first; the newest thousand are
   * compared.
   */
  alike(memory: Memory | NewMemory, limit: number): Promise<readonly Memory[]>;
  /** Links two memories as contradicting, unless a caller has settled the pair. */
  note(newer: Memory, older: Memory, reason: Reason): Promise<boolean>;
  /** Adds a remark to the note of a contradicting pair, once; other pairs are unchanged. */
  annotate(one: Memory, other: Memory, remark: string): Promise<void>;
  /** Removes the contradictions that rules or passes noted for a memory, because its words have changed. */
  withdraw(memory: Memory): Promise<void>;
  /**
   * Records that both memories hold, and why, as a version of each. Rules no longer link them, and they no longer count
   * as duplicates.
   */
  settle(one: Memory, other: Memory, reason: string): Promise<void>;
  /** The recorded reason, empty if one memory was restored beside the other; undefined if the pair is not settled. */
  settlementOf(one: Memory, other: Memory): Promise<string | undefined>;
  /** Undoes a settlement, as a version of each; contradicting memories are linked again. */
  reopen(one: Memory, other: Memory, as: "contradicting" | "alike"): Promise<void>;
}
