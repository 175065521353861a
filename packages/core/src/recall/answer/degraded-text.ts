import { framed } from "../../answers/sanitize-for-prompt.ts";

/** A part of the search or the answer that was skipped, with a reason code. */
export interface Degraded {
  readonly leg: string;
  readonly reason: string;
}

const LEGS: Readonly<Record<string, string>> = {
  words: "not searched by words",
  vector: "not searched by meaning",
  rerank: "not ordered by the reranker",
  llm: "not written by a language model",
};

const REASONS: Readonly<Record<string, string>> = {
  "words no_index": "their index cannot be read",
  "vector no_index": "no vectors within reach yet",
  no_embedder: "no model here makes vectors",
  other_identity: "the vector given is of another model",
  timeout: "it took too long",
  failed: "the model failed",
  not_configured: "none is configured",
  not_installed: "its library is not installed",
  busy: "it is busy",
  budget: "its budget is used up",
  unavailable: "it does not answer",
  unusable: "its answer could not be used",
};

/** Describes each skipped part in a line; an unknown code is shown as it is. */
export const degradedLines = (degraded: readonly Degraded[]): string[] =>
  degraded.map(
    ({ leg, reason }) =>
      `${LEGS[leg] ?? `without ${framed(leg)}`}: ${REASONS[`${leg} ${reason}`] ?? REASONS[reason] ?? framed(reason)}`,
  );
