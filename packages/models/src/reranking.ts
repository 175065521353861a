import type { Reranking } from "@chest/core/ports";
import { missingFiles } from "./presence.ts";
import { readReranker } from "./read-spec.ts";
import { openReranker } from "./reranker.ts";
import type { ModelSpec } from "./spec.ts";
import type { ModelLog } from "./thread.ts";

/** Reranker that an operator has switched on. */
export interface RerankChoice {
  readonly model: ModelSpec;
  readonly topN: number;
  readonly timeoutMs: number;
}

interface RerankValues {
  readonly CHEST_RERANK_ENABLED: boolean;
  readonly CHEST_RERANK_MODEL: string;
  readonly CHEST_RERANK_TOP_N: number;
  readonly CHEST_RERANK_TIMEOUT_MS: number;
}

/** Reads the choice of a reranker from its variables: undefined if it is off, a text if a variable is wrong. */
export function readReranking(values: RerankValues): RerankChoice | string | undefined {
  const model = readReranker(values.CHEST_RERANK_MODEL);
  if (typeof model === "string") return model;
  const { CHEST_RERANK_TOP_N: topN, CHEST_RERANK_TIMEOUT_MS: timeoutMs } = values;
  return values.CHEST_RERANK_ENABLED ? { model, topN, timeoutMs } : undefined;
}

interface RerankPlace {
  readonly modelsDir: string;
  readonly log: ModelLog;
}

/**
 * Opens the reranker of the best hits; undefined where it is switched off. Its model is loaded by the first question.
 */
export function openReranking(choice: RerankChoice | undefined, place: RerankPlace): Reranking | undefined {
  if (!choice) return undefined;
  const { model, topN, timeoutMs } = choice;
  return { reranker: openReranker(model, place), topN, timeoutMs };
}

/** Says that a reranker which is switched on has no files: every answer would keep its order, and only say so. */
export async function tellOfReranker(choice: RerankChoice | undefined, { modelsDir, log }: RerankPlace): Promise<void> {
  const missing = choice ? await missingFiles(modelsDir, choice.model) : [];
  if (!choice || missing.length === 0) return;
  const hint = "`chest-index fetch-model --reranker` brings them, or put your own model there";
  log.warn({ model: choice.model.id, missing, hint }, "the reranker lacks files: answers keep their order");
}
