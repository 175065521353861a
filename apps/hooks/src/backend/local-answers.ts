import type { Caller } from "@chest/core/access";
import { BUILTIN_IDENTITY, isSameIdentity, TABLE_IDENTITY } from "@chest/core/embedding";
import type { Language } from "@chest/core/hooks";
import { type EmbedderFor, noEmbedder } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS, type ToolPorts } from "@chest/core/tool";
import type { Question } from "./memory-backend.ts";

type LocalAnswer = Promise<{
  readonly context?: string;
  readonly shown?: readonly number[];
  readonly handoff?: "pending";
  readonly unsaved?: "asked";
}>;

// Defaults of the route schemas, which are not applied to local questions.
const DEFAULTS = {
  shown: [],
  language: "en" satisfies Language,
  operation: "edit",
  command: "",
  is_first: false,
  plans: [],
  files: [],
};
type Answer = (request: never, ports: ToolPorts, caller: Caller) => LocalAnswer;

// Loaded separately, so that an event loads only what it uses.
const ANSWERS: Readonly<Record<Question, () => Promise<Answer>>> = {
  prompt: async () => (await import("@chest/core/hooks/on-prompt")).onPrompt,
  "pre-edit": async () => (await import("@chest/core/hooks/on-file")).onFile,
  "post-tool": async () => (await import("@chest/core/hooks/on-failure")).onFailure,
  "session-start": async () => (await import("@chest/core/hooks/on-session")).onSessionStart,
};

/**
 * Answers like a backend, by words and by the term table in `table`, whose vectors a local store has beside those of
 * the sentence model. A store with vectors of another model is searched by words only, because loading a model takes
 * longer than a prompt may wait.
 */
export async function answer(
  question: Question,
  request: Readonly<Record<string, unknown>>,
  ports: Pick<ToolPorts, "store" | "clock" | "signal">,
  { caller, table }: { readonly caller: Caller; readonly table: string | undefined },
): LocalAnswer {
  const rest = { embedders: await embeddersBy(table), limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  const answerTo = await ANSWERS[question]();
  return answerTo({ ...DEFAULTS, ...request } as never, { ...ports, store: byTable(ports.store), ...rest }, caller);
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
