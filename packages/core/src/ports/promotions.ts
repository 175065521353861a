import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";

export interface PromotionReads {
  /**
   * Live memories that wait to be the team's, the oldest first: to a reviewer everybody's of the projects in reach, to
   * another caller its own. `total` counts them.
   */
  waiting(page: {
    readonly reach: Reach;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly total: number; readonly memories: readonly Memory[] }>;
}

export interface PromotionWrites {
  /** A memory that waits and that `waiting` lists everywhere; undefined for any other. */
  byId(id: number): Promise<Memory | undefined>;
  /** Makes a memory wait for review, as a version; it stays where it is. A move ends the wait. */
  request(memory: Memory, reason?: string): Promise<Memory>;
  /** Ends the wait, as a version; it stays where it is. */
  decline(memory: Memory, reason?: string): Promise<Memory>;
}
