import type { Reranker } from "@chest/core/ports";
import { type HubOptions, hubModel } from "./hub-model.ts";
import type { ModelSpec } from "./spec.ts";
import { ModelThread } from "./thread.ts";

/** A cross-encoder of this machine as a reranker. Nothing is loaded before the first question. */
export function openReranker(spec: ModelSpec, options: HubOptions): Reranker {
  const thread = new ModelThread(hubModel(spec, { kind: "score" }, options), options);
  return {
    async score(query, texts, signal) {
      const result = await thread.ask({ query, texts, isUrgent: true }, signal);
      return result && [...result.numbers];
    },
    close: () => thread.close(),
  };
}
