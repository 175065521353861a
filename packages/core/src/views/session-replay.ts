import { ChestError, endpoints } from "@chest/contracts";
import { z } from "zod";
import { dayOf } from "../answers/answer-text.ts";
import { type MemoryListRow, rowsOf } from "../answers/row.ts";
import { framed, NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import type { Memory } from "../memory/memory.ts";
import { defineOperation } from "../operation.ts";
import type { SessionEvents, Surface } from "../ports/impressions.ts";
import type { Store } from "../ports/store.ts";
import { cut, cutAtWord } from "../text/cut.ts";
import { isJournalRule } from "../transcript/candidate.ts";

const REPLAY_FIELDS = {
  params: z.strictObject({ id: z.string().min(1).max(128) }),
  query: z.strictObject({
    author: z.string().max(64).optional().describe("Where two members had sessions of one id"),
  }),
} as const;

/** One thing that happened in a session. */
export type ReplayStep = {
  readonly at: number;
} & (
  | { readonly kind: "prompt" | "failure" | "left"; readonly text: string }
  | { readonly kind: "edit"; readonly path: string; readonly times: number }
  | {
      readonly kind: "shown";
      readonly surface: Surface;
      readonly tokens: number;
      readonly memories: (MemoryListRow & { readonly tokens: number })[];
    }
  | { readonly kind: "remembered"; readonly memory: MemoryListRow; readonly rule?: string | undefined }
);

const MOST_NAME = 200;

/** Name of a session: the first line of its first prompt, else of its first memory. */
export const sessionName = ({ title, content }: Pick<Memory, "title" | "content">): string =>
  cutAtWord(title ?? content.trim().split("\n", 1)[0] ?? "", MOST_NAME);

/** Rules whose rows are prompts, and rules whose rows are failures. */
const PROMPTS: readonly string[] = ["first_intent", "automated_task", "clarification"];
const FAILURES: readonly string[] = ["error_recovery"];

/** A session from its first prompt to what it left, in order of time, as far as the caller may see it. */
export const sessionReplay = defineOperation({
  endpoint: endpoints.session,
  params: REPLAY_FIELDS.params,
  query: REPLAY_FIELDS.query,
  isPlaced: true,
  async run({ params: { id }, query: { author } }, { store }) {
    const replay = await replayOf({ session: id, author }, store);
    if (!replay) throw noSuchSession();
    return { _notice: NOTICE, ok: true as const, session_id: id, ...replay };
  },
});

const noSuchSession = () =>
  new ChestError("NOT_FOUND", "there is no such session, or nothing of it that you may see", {
    hint: "`GET /api/sessions` lists those that left something that you may see",
  });

/** Replay of a session without the answer's envelope; undefined if the caller may see nothing of the session. */
export async function replayOf(
  query: { readonly session: string; readonly author?: string | undefined },
  store: Store,
) {
  const found = await store.listings.sessionEvents(query);
  if (!found) return undefined;
  const [stored, shown, left] = await Promise.all([
    rowsOf(
      found.memories.map(({ memory }) => memory),
      store,
    ),
    shownSteps(found, store),
    leftSteps(query.session, found, store),
  ]);
  const told = new Set<string>();
  const steps = [
    ...found.memories.flatMap(({ memory, rule }, at): ReplayStep[] => {
      const row = stored[at];
      const when = seconds(memory.createdAt);
      if (!row) return [];
      if (rule !== undefined && isJournalRule(rule)) {
        const kind = PROMPTS.includes(rule) ? "prompt" : FAILURES.includes(rule) ? "failure" : undefined;
        if (kind === undefined || told.has(memory.content)) return [];
        told.add(memory.content);
        return [{ kind, at: when, text: memory.content }];
      }
      return [{ kind: "remembered", at: when, memory: row, ...(rule === undefined ? {} : { rule }) }];
    }),
    ...editSteps(found, told),
    ...shown,
    ...left,
  ].sort((a, b) => a.at - b.at || ORDER[a.kind] - ORDER[b.kind]);
  const named = steps.find((step) => step.kind === "prompt") ?? steps.find((step) => step.kind === "remembered");
  const { author, project, client } = found;
  return {
    author,
    ...(project === undefined ? {} : { project }),
    ...(client === undefined ? {} : { client }),
    ...(named === undefined ? {} : { name: nameOf(named) }),
    ...{ first_at: steps[0]?.at ?? 0, last_at: steps.at(-1)?.at ?? 0 },
    files: new Set(found.edits.map(({ path }) => path)).size,
    tokens: found.shown.reduce((sum, { tokens }) => sum + tokens, 0),
    steps,
  };
}

/** Order within one second: the prompt comes first, the handoff last. */
const ORDER: Readonly<Record<ReplayStep["kind"], number>> = {
  prompt: 0,
  shown: 1,
  edit: 2,
  failure: 3,
  remembered: 4,
  left: 5,
};

const nameOf = (step: ReplayStep): string =>
  step.kind === "prompt"
    ? sessionName({ title: undefined, content: step.text })
    : step.kind === "remembered"
      ? step.memory.title
      : "";

/** Edits, those of one file and one request as one, each request before the first of its edits. */
function editSteps({ edits }: SessionEvents, told: Set<string>): ReplayStep[] {
  const steps: ReplayStep[] = [];
  const counted = new Map<string, { times: number }>();
  for (const { path, intent, at } of edits) {
    const when = seconds(at);
    if (intent !== undefined && intent !== "" && !told.has(intent)) {
      told.add(intent);
      steps.push({ kind: "prompt", at: when, text: intent });
    }
    const key = JSON.stringify([path, intent]);
    const known = counted.get(key);
    if (known) known.times += 1;
    else {
      const step = { kind: "edit" as const, at: when, path, times: 1 };
      counted.set(key, step);
      steps.push(step);
    }
  }
  return steps;
}

/** Blocks that hooks showed to the session, each with its memories that the caller may open. */
async function shownSteps({ shown }: SessionEvents, store: Store): Promise<ReplayStep[]> {
  const memories = await store.memories.byIds([...new Set(shown.map(({ memory }) => memory))]);
  const rows = new Map((await rowsOf(memories, store)).map((row) => [row.id, row]));
  const blocks = Map.groupBy(shown, ({ at, surface }) => `${at.getTime()} ${surface}`);
  return [...blocks.values()].flatMap((lines): ReplayStep[] => {
    const [first] = lines;
    const told = lines.flatMap(({ memory, tokens }) => {
      const row = rows.get(memory);
      return row ? [{ ...row, tokens }] : [];
    });
    if (!first || told.length === 0) return [];
    const tokens = told.reduce((sum, line) => sum + line.tokens, 0);
    return [{ kind: "shown", at: seconds(first.at), surface: first.surface, tokens, memories: told }];
  });
}

/** State that a session of the caller's own left for the next one. */
async function leftSteps(session: string, { isOwn }: SessionEvents, store: Store): Promise<ReplayStep[]> {
  const left = isOwn ? await store.sessions.workSnapshot(session) : undefined;
  return left ? [{ kind: "left", at: seconds(left.createdAt), text: left.text }] : [];
}

const WIDTH = 300;

/** A step as one line to be read, framed. */
export function stepLine(step: ReplayStep): string {
  const when = `${dayOf(step.at)} ${new Date(step.at * 1000).toISOString().slice(11, 16)}`;
  return framed(`- ${when} ${sentenceOf(step)}`);
}

function sentenceOf(step: ReplayStep): string {
  switch (step.kind) {
    case "prompt":
      return `asked: ${cut(step.text, WIDTH)}`;
    case "failure":
      return `failed: ${cut(step.text, WIDTH)}`;
    case "edit":
      return `edited ${step.path}${step.times > 1 ? ` ${step.times} times` : ""}`;
    case "shown":
      return `was shown, at ${step.surface}, ${step.tokens} tokens: ${step.memories.map(({ id, title }) => `[memory:${id}] ${title}`).join("; ")}`;
    case "remembered":
      return `remembered [memory:${step.memory.id}] ${step.memory.title}`;
    case "left":
      return `left: ${cut(step.text, WIDTH)}`;
  }
}
