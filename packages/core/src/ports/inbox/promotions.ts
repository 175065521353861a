import type { Reach } from "../../access/space.ts";
import type { Memory } from "../../memory/memory.ts";
import type { InboxPart } from "./notes.ts";

export interface PromotionReads {
  /**
   * Live memories that wait for approval to be shared with the team, oldest first. A reviewer sees all of its projects,
   * another caller only its own. `total` counts them.
   */
  waiting(page: {
    readonly reach: Reach;
    /** Only memories in this part of the inbox; undefined: all. */
    readonly part?: InboxPart | undefined;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly total: number; readonly memories: readonly Memory[] }>;
}

export interface PromotionWrites {
  /** A waiting memory that `waiting` would list in any project; otherwise undefined. */
  byId(id: number): Promise<Memory | undefined>;
  /** Requests a review, recorded as a version; the visibility stays. Moving the memory ends the request. */
  request(memory: Memory, reason?: string): Promise<Memory>;
  /** Declines the request, recorded as a version; the visibility stays. */
  decline(memory: Memory, reason?: string): Promise<Memory>;
}
