import { httpUrl, intInRange, oneOf, secret, text } from "./variables.ts";

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
