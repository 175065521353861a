import type { LlmRequest } from "@chest/core/ports";

export const PROVIDERS = ["openai", "anthropic", "claude-cli"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ProviderSpec {
  /**
   * `openai` for everything that speaks as OpenAI does, such as OpenRouter, Ollama and vLLM; `claude-cli` for Claude
   * Code's own program on this machine.
   */
  readonly provider: Provider;
  /** Address of the API; undefined: the provider's own, where it has one. */
  readonly url: string | undefined;
  readonly model: string;
  readonly apiKey: string | undefined;
}

export interface Completion {
  readonly text: string;
  readonly tokens: number | undefined;
}

/**
 * Sends one request to a model, without retries. Throws the library's own error, whose message may contain the request.
 */
export type Ask = (request: LlmRequest, signal: AbortSignal) => Promise<Completion>;

/** Loads the library and the provider, which are optional packages, or the one that runs a program and needs neither. */
export async function loadProvider(spec: ProviderSpec): Promise<Ask> {
  if (spec.provider === "claude-cli") return (await import("./claude-cli.ts")).askClaude(spec.model);
  // The library prints warnings, and with them parts of what was asked.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const [{ generateText }, model] = await Promise.all([import("ai"), modelOf(spec)]);
  return async ({ system, prompt, maxTokens }, signal) => {
    const { text, usage } = await generateText({
      model,
      system,
      prompt,
      temperature: 0,
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      abortSignal: signal,
    });
    return { text, tokens: usage.totalTokens };
  };
}

async function modelOf({ provider, url, model, apiKey = "" }: ProviderSpec) {
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, ...(url === undefined ? {} : { baseURL: url }) })(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name: "llm",
    baseURL: url ?? "https://api.openai.com/v1",
    ...(apiKey === "" ? {} : { apiKey }),
  })(model);
}
