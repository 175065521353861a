/** Which model made a vector; vectors of different identities never meet. */
export interface EmbeddingIdentity {
  readonly model: string;
  readonly revision: string;
  readonly dimensions: number;
  readonly pooling: string;
}

export interface Embedder {
  /** Undefined where there is no model at all. */
  readonly identity: EmbeddingIdentity | undefined;
  /** Undefined when there is no vector to be had: go on with words alone. */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | undefined>;
}

export const noEmbedder: Embedder = { identity: undefined, embedQuery: async () => undefined };
