import type { Provider, ProviderSpec } from "./provider.ts";

/** Language model that an operator has chosen, and the tokens that it may use a day. */
export type LlmChoice = ProviderSpec & { readonly dailyTokens: number };

interface LlmValues {
  readonly CHEST_LLM_PROVIDER?: Provider | undefined;
  readonly CHEST_LLM_MODEL?: string | undefined;
  readonly CHEST_LLM_URL?: string | undefined;
  readonly CHEST_LLM_API_KEY?: string | undefined;
  readonly CHEST_LLM_BUDGET: number;
}

/** Model of Claude Code's program where none is named: the cheapest that writes well enough. */
const CLAUDE_MODEL = "haiku";

/** Reads the choice from its variables: undefined where there is none, a text that says what is missing. */
export function readLlm(values: LlmValues): LlmChoice | string | undefined {
  const { CHEST_LLM_PROVIDER: provider, CHEST_LLM_MODEL: model, CHEST_LLM_URL: url } = values;
  const { CHEST_LLM_API_KEY: apiKey, CHEST_LLM_BUDGET: dailyTokens } = values;
  if (provider === undefined) {
    const isMeant = model !== undefined || url !== undefined || apiKey !== undefined;
    return isMeant ? "CHEST_LLM_PROVIDER: is not set, and other CHEST_LLM_ variables are" : undefined;
  }
  if (provider === "claude-cli") {
    return { provider, model: model ?? CLAUDE_MODEL, url: undefined, apiKey: undefined, dailyTokens };
  }
  if (model === undefined) return "CHEST_LLM_MODEL: is not set, and CHEST_LLM_PROVIDER is";
  if (url === undefined && apiKey === undefined) return "CHEST_LLM_API_KEY: is not set, and neither is CHEST_LLM_URL";
  return { provider, model, url, apiKey, dailyTokens };
}
