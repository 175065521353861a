import type { EmbeddingIdentity, Memory, Space } from "@chest/core";

/** Identity that a vector is missing of. Rows are marked by the active one's, and an index holds those. */
export interface Lacking {
  readonly identity: EmbeddingIdentity;
  readonly active: EmbeddingIdentity;
}

/** Counts rows in some spaces that lack a vector. */
export interface PendingCounts {
  count(spaces: readonly Space[], lacking: Lacking): Promise<number>;
}

export interface PendingAsk {
  readonly lacking: Lacking;
  readonly cursor: number;
  readonly limit: number;
  readonly spaces: readonly Space[];
}

export interface PendingPage {
  readonly memories: readonly Memory[];
  readonly remaining: number;
}
