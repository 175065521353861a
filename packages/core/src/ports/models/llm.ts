/** Request to a language model: instructions and data, kept apart. */
export interface LlmRequest {
  readonly system: string;
  /** Stored text in it is framed as data. */
  readonly prompt: string;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** Time limit; the model's own limit by default. */
  readonly deadlineMs?: number;
}

/**
 * Reason why a model wrote nothing: none configured, library missing, too slow, all slots busy, daily budget spent,
 * paused after repeated failures, failed, or unusable output.
 */
export const LLM_FAILURES = [
  "not_configured",
  "not_installed",
  "timeout",
  "busy",
  "budget",
  "unavailable",
  "failed",
  "unusable",
] as const;
export type LlmFailure = (typeof LLM_FAILURES)[number];

export type LlmAnswer =
  | { readonly text: string }
  | {
      readonly failure: LlmFailure;
      /** Cause for an operator: a status or an error code, such as `HTTP 401` or `ECONNREFUSED`; never a message. */
      readonly cause?: string;
    };

export interface LlmState {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  /** After repeated failures it is not called for a while. */
  readonly isResting: boolean;
  /** Tokens that this process has used today. */
  readonly used: number;
  readonly budget: number;
}

/** A language model, which proposes and never decides. Every user of it also works without one. */
export interface Llm {
  /** Never throws: the answer contains the reason if there is no text. */
  write(request: LlmRequest, signal: AbortSignal): Promise<LlmAnswer>;
  state(): LlmState;
}

export const noLlm: Llm = {
  write: async () => ({ failure: "not_configured" }),
  state: () => ({ provider: undefined, model: undefined, isResting: false, used: 0, budget: 0 }),
};
