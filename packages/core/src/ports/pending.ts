import type { Push, Pushed } from "../embedding/push.ts";
import type { EmbeddingIdentity } from "./embedder.ts";

/** The words of a memory that lacks a vector, exactly as they are to be embedded. */
export interface PendingText {
  readonly id: number;
  readonly text: string;
  readonly contentSha1: string;
}

/** Called after a transaction with the words that it left without a vector; returns at once. */
export type EmbedSoon = (texts: readonly PendingText[]) => void;

export interface ClaimAsk {
  readonly identity: EmbeddingIdentity;
  /** Only ids above it. */
  readonly cursor: number;
  readonly limit: number;
  /** After this time they are free again: the claimant may have been killed. */
  readonly leaseMs: number;
  /** Name of the claimant. */
  readonly claimant: string;
}

export interface Claimed {
  /** Ids ascending; empty when there is nothing to do now above the cursor. */
  readonly items: readonly PendingText[];
  /** All that lack the vector, those that others are at included. May lag by moments. */
  readonly remaining: number;
}

/** Memories without a vector, wherever they are kept, handed out so that no two embedders do the same work. */
export interface PendingQueue {
  claim(ask: ClaimAsk): Promise<Claimed>;
  /** In the order given; one that is refused does not hold up the others. */
  store(identity: EmbeddingIdentity, pushes: readonly Push[]): Promise<readonly Pushed[]>;
  /** Gives back what was claimed and not done. */
  release(claimant: string, ids: readonly number[]): Promise<void>;
}
