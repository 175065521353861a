import type { Push, Pushed } from "../embedding/push.ts";
import type { EmbeddingIdentity } from "./embedder.ts";

/** Text of a memory without a vector, exactly as it is to be embedded. */
export interface PendingText {
  readonly id: number;
  readonly text: string;
  readonly contentSha1: string;
}

/** Receives the texts that a transaction left without a vector; returns at once. */
export type EmbedSoon = (texts: readonly PendingText[]) => void;

export interface ClaimAsk {
  readonly identity: EmbeddingIdentity;
  /** Only ids above this one. */
  readonly cursor: number;
  readonly limit: number;
  /** Claims expire after this time, because the claimant may have been killed. */
  readonly leaseMs: number;
  /** Name of the claimant. */
  readonly claimant: string;
}

export interface Claimed {
  /** Ids ascending; empty if nothing above the cursor is available now. */
  readonly items: readonly PendingText[];
  /** All rows without the vector, including claimed ones. May lag by moments. */
  readonly remaining: number;
}

/** Memories without a vector, handed out so that no two embedders do the same work. */
export interface PendingQueue {
  claim(ask: ClaimAsk): Promise<Claimed>;
  /** In the given order; a refused one does not stop the others. */
  store(identity: EmbeddingIdentity, pushes: readonly Push[]): Promise<readonly Pushed[]>;
  /** Releases unfinished claims. */
  release(claimant: string, ids: readonly number[]): Promise<void>;
}
