import { httpUrl, intInRange, oneOf, path, secret, text } from "./variables.ts";

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

/** Variables of a language model, for every program that asks one. */
export const llmVariables = <P extends string>(providers: readonly [P, ...P[]]) => ({
  CHEST_LLM_PROVIDER: oneOf(providers)
    .optional()
    .describe(
      "Language model for written answers and for what sessions taught: `openai` for every compatible API, `claude-cli` for Claude Code's program on this machine; none by default",
    ),
  CHEST_LLM_MODEL: text().optional().describe("Its name, as the provider knows it; `haiku` for `claude-cli`"),
  CHEST_LLM_URL: httpUrl()
    .optional()
    .describe("Address of its API, such as `http://127.0.0.1:11434/v1`; the provider's own by default"),
  CHEST_LLM_API_KEY: secret(1).optional().describe("Its key; a model on this machine needs none"),
  CHEST_LLM_BUDGET: intInRange(0, 1_000_000_000)
    .default(200_000)
    .describe("Tokens that it may use per day, input and output together"),
});
