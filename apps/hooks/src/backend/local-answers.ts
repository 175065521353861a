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

type LocalAnswer = Promise<{ readonly context?: string; readonly shown?: readonly number[] }>;

// What is asked was put together here, in the shape of the routes; these are what they fill in.
const DEFAULTS = { shown: [], language: "en" satisfies Language, operation: "edit", command: "" };
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
