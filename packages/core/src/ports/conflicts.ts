import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reason } from "../statements/contradiction.ts";
import type { NearPair } from "../statements/near-pairs.ts";
import type { NewMemory } from "./store.ts";

/** Two live memories that were found to contradict each other, not settled yet. */
export interface OpenConflict {
  /** The one that was written later. */
  readonly newer: Memory;
  readonly older: Memory;
  /** Evidence: a rule on words, or a measure that a maintenance pass noted. */
  readonly note: string | undefined;
  readonly notedAt: Date;
}

export interface ConflictPage {
  readonly reach: Reach;
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
   * Live memories that contradict some, by memory, ascending; a memory without one is left out, and so is all that the
   * caller may not open.
   */
  opponents(ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Unsettled pairs of which both are in reach, the last found first; `total` counts them. */
  conflicts(page: ConflictPage): Promise<{ readonly total: number; readonly pairs: readonly OpenConflict[] }>;
  /**
   * Pairs of live memories of one space and subject in reach that say much the same, the most alike first, without those
   * that were settled as two; several that say the same are joined by one pair less than they are, and make one of the
   * groups. Of many memories the newest five thousand are looked at. @param page.tagLikeness least share of tags that counts as well, of two at least which twenty memories at most have in common
   */
  duplicates(
    page: ConflictPage & { readonly tagLikeness: number },
  ): Promise<{ readonly total: number; readonly groups: number; readonly pairs: readonly Duplicate[] }>;
}

export interface ConflictWrites extends Pick<ConflictReads, "opponents"> {
  /**
   * Other live memories of the same entity and space whose words are like those of a memory, or of one that is to be
   * stored, most alike first; of many, the newest thousand are looked at.
   */
  alike(memory: Memory | NewMemory, limit: number): Promise<readonly Memory[]>;
  /** Links two that contradict each other, unless a caller has settled already what they are to each other. */
  note(newer: Memory, older: Memory, reason: Reason): Promise<boolean>;
  /** Adds to the note of a pair that contradicts each other, unless it says so already; other pairs stay as they are. */
  annotate(one: Memory, other: Memory, remark: string): Promise<void>;
  /** Takes back what a rule or a pass has noted against a memory: its words have changed. */
  withdraw(memory: Memory): Promise<void>;
  /** Notes that both hold, and why, as a version of each; no rule links them again, and they are no duplicates. */
  settle(one: Memory, other: Memory, reason: string): Promise<void>;
  /** Reason that was noted for both, empty where one was brought back beside the other; undefined for neither. */
  settled(one: Memory, other: Memory): Promise<string | undefined>;
  /** Takes back what was settled of two, as a version of each; those that contradict are linked as such again. */
  reopen(one: Memory, other: Memory, as: "contradicting" | "alike"): Promise<void>;
}
