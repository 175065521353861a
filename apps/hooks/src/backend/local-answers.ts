import { type Caller, DEFAULT_LIMITS, DEFAULT_RANKING, type Language, noEmbedder, type ToolPorts } from "@chest/core";
import type { Question } from "./memory-backend.ts";

type LocalAnswer = Promise<{
  readonly context?: string;
  readonly shown?: readonly number[];
  readonly handoff?: "pending";
}>;

// Defaults of the routes' schemas: questions asked here are put together without them.
const DEFAULTS = {
  shown: [],
  language: "en" satisfies Language,
  operation: "edit",
  command: "",
  is_first: false,
  plans: [],
  files: [],
};
type Answer = (asked: never, ports: ToolPorts, caller: Caller) => LocalAnswer;

// Each by itself: an event waits for no more than the one that it asks.
const ANSWERS: Readonly<Record<Question, () => Promise<Answer>>> = {
  prompt: async () => (await import("@chest/core/hooks/on-prompt")).onPrompt,
  "pre-edit": async () => (await import("@chest/core/hooks/on-file")).onFile,
  "post-tool": async () => (await import("@chest/core/hooks/on-failure")).onFailure,
  "session-start": async () => (await import("@chest/core/hooks/on-session")).onSessionStart,
};

/** Answers as a backend would, without a model: it takes longer to load than a prompt may wait. */
export async function answer(
  question: Question,
  asked: Readonly<Record<string, unknown>>,
  ports: Pick<ToolPorts, "store" | "clock" | "signal">,
  caller: Caller,
): LocalAnswer {
  const rest = { embedders: () => noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  const answerTo = await ANSWERS[question]();
  return answerTo({ ...DEFAULTS, ...asked } as never, { ...ports, ...rest }, caller);
}
