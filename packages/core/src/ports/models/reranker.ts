/** A model that reads a question and a text together, and says how well the one answers the other. */
export interface Reranker {
  /**
   * A raw logit for each text, in their order: larger is better, and only within one call.
   * Undefined when none can be had: the order stays as it was.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[] | undefined>;
  /** Ends its thread, if it has one. Twice is once. */
  close(): Promise<void>;
}

/** How a recall reranks. */
export interface Reranking {
  readonly reranker: Reranker;
  /** How many of the best hits are reranked. */
  readonly topN: number;
  /** How long an answer waits for that. */
  readonly timeoutMs: number;
}
