/** Which model made a vector; vectors of different identities never meet. */
export interface EmbeddingIdentity {
  readonly model: string;
  readonly revision: string;
  readonly dimensions: number;
  readonly pooling: string;
}

/** A text as a vector. */
export interface Embedding {
  readonly vector: Float32Array;
  /** The text is longer than the model reads: its head alone made the vector. */
  readonly isCut: boolean;
}

/** Whether a vector can be had now, and where not, why not. */
export type EmbedderState =
  | { readonly isUsable: true }
  | {
      readonly isUsable: false;
      /** `no_embedder`: none is wanted; `no_library`, `no_model`: not installed; `failed`: it does not load. */
      readonly reason: "no_embedder" | "no_library" | "no_model" | "failed";
      /** Some of the model's files are here: a fetch was begun. */
      readonly isPartial?: boolean | undefined;
      /** For an operator; holds no content. */
      readonly message: string;
      readonly hint: string;
    };

/** A text, and those that lend it their terms. */
export interface Passage {
  readonly text: string;
  readonly lenders?: readonly { readonly id?: number; readonly text: string; readonly share: number }[] | undefined;
}

/** How near a text comes to a question. */
export interface Closeness {
  /** Cosine of their vectors. */
  readonly cosine: number;
  /** Mean over the question's terms of the highest cosine to any term of the text, 0–1, or of a lender by its share: a sum blurs what a long text says. */
  readonly byTerm: number;
}

export interface Embedder {
  /** Undefined where there is no model at all. */
  readonly identity: EmbeddingIdentity | undefined;
  /** Cheap enough to ask at every recall: loads nothing, and notices within a second when a model comes or goes. */
  state(): Promise<EmbedderState>;
  /** The vector of a text at once, without a thread or a wait; only a model that is that quick has it. Undefined: none to be had. */
  readonly embedNow?: ((text: string) => Float32Array | undefined) | undefined;
  /** Number of significant terms in a text's vector: with few, a cosine says little. Only models that sum terms have it. */
  readonly tellingTerms?: ((text: string) => number | undefined) | undefined;
  /** How near each text comes to a question, in their order. Only models that sum terms have it. */
  readonly closeness?: ((question: string, texts: readonly Passage[]) => readonly Closeness[] | undefined) | undefined;
  /** Undefined when there is no vector to be had: go on with words alone. */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | undefined>;
  /**
   * Texts to be stored, as vectors in their order; a few hundred at most at once. Undefined when there are none to be
   * had now, and `state` says why. Questions go first.
   */
  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<readonly Embedding[] | undefined>;
  /** Ends its thread, if it has one. Twice is once. */
  close(): Promise<void>;
}

/** The embedder of an identity, as far as its model is here; `noEmbedder` where it is not. */
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
