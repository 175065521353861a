import {
  type Caller,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type Language,
  noEmbedder,
  onFailure,
  onFile,
  onPrompt,
  onSessionStart,
  type ToolPorts,
} from "@chest/core";
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
const ANSWERS: Readonly<Record<Question, (asked: never, ports: ToolPorts, caller: Caller) => LocalAnswer>> = {
  prompt: onPrompt,
  "pre-edit": onFile,
  "post-tool": onFailure,
  "session-start": onSessionStart,
};

/** Answers as a backend would, without a model: it takes longer to load than a prompt may wait. */
export const answer = (
  question: Question,
  asked: Readonly<Record<string, unknown>>,
  ports: Pick<ToolPorts, "store" | "clock" | "signal">,
  caller: Caller,
): LocalAnswer => {
  const rest = { embedders: () => noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  return ANSWERS[question]({ ...DEFAULTS, ...asked } as never, { ...ports, ...rest }, caller);
};
