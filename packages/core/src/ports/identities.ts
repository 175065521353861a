import type { EmbeddingIdentity } from "./embedder.ts";

/** Embedding identities of a store. The store keeps them, so that all processes that share it agree. */
export interface Identities {
  /** Identity in which questions are embedded and memories are pending. */
  readonly active: EmbeddingIdentity;
  /** Identity that becomes active once its vectors cover the store; undefined if no change is in progress. */
  readonly next: EmbeddingIdentity | undefined;
}

/** Share of a store that one identity covers. */
export interface IdentityShare {
  readonly identity: EmbeddingIdentity;
  /** Live memories with a vector of this identity. */
  readonly done: number;
}

/** Embedding identities of a store, and changes to them. */
export interface IdentityBook {
  current(): Promise<Identities>;
  /** All identities with vectors, plus the active and the next one even without vectors. */
  shares(): Promise<readonly IdentityShare[]>;
  /**
   * Starts a change to `next`: memories get vectors of both identities. Naming the active identity cancels a change.
   * Vectors of a wrong length are removed, so their memories are pending again.
   */
  begin(next: EmbeddingIdentity): Promise<Identities>;
  /** Makes the next identity the active one, if 99 of 100 live memories have its vector; says whether it did. */
  settle(): Promise<boolean>;
  /**
   * Removes the vectors of all identities except the active and the next one.
   * @returns how many
   */
  dropOthers(): Promise<number>;
}
