import { httpUrl, intInRange, oneOf, path, text } from "./variables.ts";

/** Variables that select the model, for every program that embeds: with different ones their vectors are not comparable. */
export const EMBEDDING_VARIABLES = {
  CHEST_EMBED_MODEL: text()
    .optional()
    .describe(
      "Embedder: `builtin` (the default), the sentence model that comes with Chest; `builtin/terms`, its table of terms; a known model; one described below; `none` for words only",
    ),
  CHEST_EMBED_DIMENSIONS: intInRange(1, 4096).optional().describe("Of another model: numbers in a vector"),
  CHEST_EMBED_POOLING: oneOf(["cls", "mean"]).optional().describe("Of another model: how token vectors are pooled"),
  CHEST_EMBED_REVISION: text().optional().describe("Of another model: a commit of the hub; `main` by default"),
  CHEST_EMBED_QUERY_PREFIX: text().optional().describe("Of another model: what it expects before a question"),
  CHEST_EMBED_PASSAGE_PREFIX: text().optional().describe("Of another model: what it expects before a memory"),
  CHEST_EMBED_DTYPE: oneOf(["fp32", "fp16", "q8", "int8", "uint8", "q4"])
    .optional()
    .describe("Of another model: how its weights are stored; `q8` by default"),
  CHEST_EMBED_MAX_TOKENS: intInRange(16, 8192)
    .optional()
    .describe("Of another model: longer texts are cut; 512 by default"),
  HF_ENDPOINT: httpUrl()
    .optional()
    .describe("Where `chest-index fetch-model` downloads models from; the hub by default"),
  CHEST_MODELS_DIR: path().optional().describe("Folder of model files; `models` in the data folder by default"),
} as const;
