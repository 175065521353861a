/** A cross-encoder: reads question and text together and scores how well the text answers. */
export interface Reranker {
  /**
   * A raw logit for each text, in order: larger is better, comparable only within one call. Undefined if unavailable:
   * the order stays.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[] | undefined>;
  /** Stops its thread, if any. May be called twice. */
  close(): Promise<void>;
}

/** Settings for reranking a recall. */
export interface Reranking {
  readonly reranker: Reranker;
  /** Number of best hits to rerank. */
  readonly topN: number;
  /** Longest time that an answer waits for the reranker. */
  readonly timeoutMs: number;
}
