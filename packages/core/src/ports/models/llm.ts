/** Something that a language model is to write: what it must do, and what it is to look at, apart. */
export interface LlmRequest {
  readonly system: string;
  /** Stored text in it stands in a frame that says it is data. */
  readonly prompt: string;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** Longest time that it may take; left out: the model's own deadline. */
  readonly deadlineMs?: number;
}

/**
 * Reason why a model wrote nothing: there is none, its library is not here, it was too slow, both places were taken, the
 * day's budget is spent, it failed again and again, it failed, or it gave nothing that can be used.
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
      /** For an operator: a status or an error's code, such as `HTTP 401` or `ECONNREFUSED`; never a message. */
      readonly cause?: string;
    };

export interface LlmState {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  /** It failed so often that it is not asked for a while. */
  readonly isResting: boolean;
  /** Tokens of this day, as counted by this process. */
  readonly used: number;
  readonly budget: number;
}

/** A language model, which proposes and never decides. Nothing needs it: every user of it has a result without. */
export interface Llm {
  /** Never throws: a model that writes nothing gives the reason. */
  write(request: LlmRequest, signal: AbortSignal): Promise<LlmAnswer>;
  state(): LlmState;
}

export const noLlm: Llm = {
  write: async () => ({ failure: "not_configured" }),
  state: () => ({ provider: undefined, model: undefined, isResting: false, used: 0, budget: 0 }),
};
