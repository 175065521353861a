import type { Reranking } from "@chest/core";
import { missingFiles, openReranker } from "@chest/models";
import type { Logger } from "@chest/runtime/logger";
import type { Config } from "./config.ts";

/**
 * Opens the reranker of the best hits; undefined where it is switched off. Its model is loaded by the first question.
 */
export function openReranking({ reranking, embedding }: Config, log: Logger): Reranking | undefined {
  if (!reranking) return undefined;
  const { model, topN, timeoutMs } = reranking;
  return { reranker: openReranker(model, { modelsDir: embedding.modelsDir, log }), topN, timeoutMs };
}

/** Says that a reranker which is switched on has no files: every answer would keep its order, and only say so. */
export async function tellOfReranker(
  { reranking, embedding: { modelsDir } }: Pick<Config, "reranking" | "embedding">,
  log: Logger,
): Promise<void> {
  const missing = reranking ? await missingFiles(modelsDir, reranking.model) : [];
  if (!reranking || missing.length === 0) return;
  const hint = "`chest-index fetch-model --reranker` brings them, or put your own model there";
  log.warn({ model: reranking.model.id, missing, hint }, "the reranker lacks files: answers keep their order");
}
