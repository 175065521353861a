import type { Stage } from "@chest/core/executor";
import type { EmbedderFor, EmbeddingIdentity } from "@chest/core/ports";
import { until } from "@chest/core/recall";
import { base64 } from "./remote-pending.ts";

export interface QueryVectorOptions {
  readonly embedders: EmbedderFor;
  /** Identity of the vectors that the backend needs from this client; undefined if it needs none. */
  readonly wanted: () => Promise<EmbeddingIdentity | undefined>;
  /** Longest time that a question waits for its vector. */
  readonly withinMs: number;
}

/**
 * Adds a vector to a question if the backend has no model for it. Without a vector in time the question is searched by
 * words.
 */
export function withQueryVector({ embedders, wanted, withinMs }: QueryVectorOptions): Stage {
  async function vectorOf(query: string, signal: AbortSignal) {
    const identity = await wanted();
    const embedder = identity && embedders(identity);
    if (!identity || !embedder?.identity) return undefined;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const vector = await until(deadline, () => embedder.embedQuery(query, deadline)).catch(() => undefined);
    return vector && { ...identity, vector: base64(vector) };
  }

  return async (asked, next) => {
    const { tool, input, call } = asked;
    if (!("query_embedding" in tool.input.shape) || !isQuestion(input)) return next(asked);
    const query_embedding = await vectorOf(input.query, call.signal);
    return next(query_embedding ? { ...asked, input: { ...input, query_embedding } } : asked);
  };
}

/** A question that has words to embed and no vector yet. */
function isQuestion(input: unknown): input is { readonly query: string } {
  if (input === null || typeof input !== "object") return false;
  const { query, query_embedding, ids } = input as Readonly<Record<string, unknown>>;
  return typeof query === "string" && query.trim() !== "" && query_embedding === undefined && ids === undefined;
}
