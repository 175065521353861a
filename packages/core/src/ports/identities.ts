import type { EmbeddingIdentity } from "./embedder.ts";

/** Embedding identities of a store. The store keeps them, so that all processes that share it agree. */
export interface Identities {
  /** Questions are asked in it, and memories are pending for it. */
  readonly active: EmbeddingIdentity;
  /** Becomes the active one as soon as its vectors cover the store; undefined while nothing changes. */
  readonly next: EmbeddingIdentity | undefined;
}

/** How much of a store one identity covers. */
export interface IdentityShare {
  readonly identity: EmbeddingIdentity;
  /** Live memories that have a vector of it. */
  readonly done: number;
}

/** Reads and changes whose vectors a store goes by. */
export interface IdentityBook {
  current(): Promise<Identities>;
  /** Every identity that has vectors, and the active and the next one whether they have or not. */
  shares(): Promise<readonly IdentityShare[]>;
  /**
   * From now on vectors of `next` are wanted beside the active ones; naming the active one ends a change that runs.
   * Vectors that are not as long as their identity's are removed: their memories lack one again.
   */
  begin(next: EmbeddingIdentity): Promise<Identities>;
  /** Makes the next identity the active one, if 99 of 100 live memories have its vector; says whether it did. */
  settle(): Promise<boolean>;
  /** Removes the vectors of all identities but the active and the next one. @returns how many. */
  dropOthers(): Promise<number>;
}
