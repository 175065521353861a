import {
  BUILTIN_IDENTITY,
  type Caller,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type EmbedderFor,
  isSameIdentity,
  type Language,
  noEmbedder,
  TABLE_IDENTITY,
  type ToolPorts,
} from "@chest/core";
import type { Question } from "./memory-backend.ts";

type LocalAnswer = Promise<{
  readonly context?: string;
  readonly shown?: readonly number[];
  readonly handoff?: "pending";
  readonly unsaved?: "asked";
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

/**
 * Answers as a backend would, by words and the table of terms in `table`, whose vectors a store on this machine has beside those of
 * the sentence model. A store whose vectors are of another model is searched by words: a model takes longer to load than a
 * prompt may wait.
 */
export async function answer(
  question: Question,
  asked: Readonly<Record<string, unknown>>,
  ports: Pick<ToolPorts, "store" | "clock" | "signal">,
  { caller, table }: { readonly caller: Caller; readonly table: string | undefined },
): LocalAnswer {
  const rest = { embedders: await embeddersBy(table), limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  const answerTo = await ANSWERS[question]();
  return answerTo({ ...DEFAULTS, ...asked } as never, { ...ports, store: byTable(ports.store), ...rest }, caller);
}

const byTable = (store: ToolPorts["store"]): ToolPorts["store"] => ({
  ...store,
  async identities() {
    const { active, next } = await store.identities();
    return { active: isSameIdentity(active, BUILTIN_IDENTITY) ? TABLE_IDENTITY : active, next };
  },
});

async function embeddersBy(table: string | undefined): Promise<EmbedderFor> {
  if (table === undefined) return () => noEmbedder;
  const { openBuiltinEmbedder } = await import("@chest/models/builtin");
  const builtin = openBuiltinEmbedder(table);
  return (identity) => (identity && isSameIdentity(identity, TABLE_IDENTITY) ? builtin : noEmbedder);
}
