/** Model that made a vector; vectors of different identities are never compared. */
export interface EmbeddingIdentity {
  readonly model: string;
  readonly revision: string;
  readonly dimensions: number;
  readonly pooling: string;
}

/** Vector of a text. */
export interface Embedding {
  readonly vector: Float32Array;
  /** The text exceeds the model's limit: only its beginning was embedded. */
  readonly isCut: boolean;
}

/** Whether the embedder can make vectors now, and the reason if not. */
export type EmbedderState =
  | { readonly isUsable: true }
  | {
      readonly isUsable: false;
      /** `no_embedder`: none is configured; `no_library`, `no_model`: not installed; `failed`: it does not load. */
      readonly reason: "no_embedder" | "no_library" | "no_model" | "failed";
      /** A download was begun: some of the model's files are present. */
      readonly isPartial?: boolean | undefined;
      /** Message for an operator, without stored content. */
      readonly message: string;
      readonly hint: string;
    };

/** A text with the neighbours that lend it their terms. */
export interface Passage {
  readonly text: string;
  readonly lenders?: readonly { readonly id?: number; readonly text: string; readonly share: number }[] | undefined;
}

/** Similarity of a text and a question. */
export interface Closeness {
  /** Cosine of their vectors. */
  readonly cosine: number;
  /**
   * Mean over the question's terms of the highest cosine to any term of the text, 0–1. Terms of a neighbour count by
   * its share. A vector of the whole text would blur what a long text says.
   */
  readonly byTerm: number;
}

export interface Embedder {
  /** Undefined if no model is configured. */
  readonly identity: EmbeddingIdentity | undefined;
  /** Cheap enough for every recall: loads nothing, and notices within a second that a model was added or removed. */
  state(): Promise<EmbedderState>;
  /**
   * Embeds a text at once, without a thread or a wait. Only very fast models have it. Undefined: no vector is
   * available.
   */
  readonly embedNow?: ((text: string) => Float32Array | undefined) | undefined;
  /** Number of significant terms in a text's vector: with few, a cosine says little. Only models that sum terms have it. */
  readonly tellingTerms?: ((text: string) => number | undefined) | undefined;
  /** Closeness of each text to a question, in order. Only models that sum terms have it. */
  readonly closeness?: ((question: string, texts: readonly Passage[]) => readonly Closeness[] | undefined) | undefined;
  /** Undefined if no vector is available: search by words alone. */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | undefined>;
  /**
   * Embeds texts for storage, in order; at most a few hundred per call. Undefined if the model is unavailable; `state`
   * gives the reason. Questions take precedence.
   */
  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<readonly Embedding[] | undefined>;
  /** Stops its thread, if any. May be called twice. */
  close(): Promise<void>;
}

/** The embedder of an identity, or `noEmbedder` if its model is not available. */
export type EmbedderFor = (identity: EmbeddingIdentity) => Embedder;

export const noEmbedder: Embedder = {
  identity: undefined,
  state: async () => ({
    isUsable: false,
    reason: "no_embedder",
    message: "no embedder is configured",
    hint: "clients embed, or `chest-index pending-resync` does",
  }),
  embedQuery: async () => undefined,
  embedPassages: async () => undefined,
  close: async () => undefined,
};
