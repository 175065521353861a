import type { Reranking } from "@chest/core";
import { openReranker } from "@chest/models";
import type { Logger } from "@chest/runtime/logger";
import type { Config } from "./config.ts";

/** What reads the best of an answer again; undefined where it is not switched on. Its model is loaded by a question. */
export function openReranking({ reranking, embedding }: Config, log: Logger): Reranking | undefined {
  if (!reranking) return undefined;
  const { model, topN, timeoutMs } = reranking;
  return { reranker: openReranker(model, { modelsDir: embedding.modelsDir, log }), topN, timeoutMs };
}
