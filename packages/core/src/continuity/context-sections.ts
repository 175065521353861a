import { dayOf } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import type { Memory } from "../memory/memory.ts";
import { summaryLine } from "../memory/summary-text.ts";
import type { Store } from "../ports/store.ts";
import { cut } from "../text/cut.ts";
import { estimateTokens } from "../text/tokens.ts";
import { triggeredFor } from "../triggers/triggered.ts";
import { briefingRows } from "./briefing.ts";
import { type ShownDoubts, withShownDoubts } from "./doubts.ts";
import { workId } from "./work-reference.ts";

const TASK_SHARE = 0.7;
const MOST_WORK = 5;
const WIDTH = 600;
const MAX_STALE = 200;
const HANDOFF_DAYS = 7;
const DAY_MS = 86_400_000;

export const CONTEXT_KINDS = ["triggered", "task", "recent", "work", "handoff"] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** One line of a briefing. */
export type ContextRow = {
  readonly id: string;
  readonly content: string;
  readonly layer?: string | undefined;
  readonly about?: string | undefined;
  readonly created_at?: string | undefined;
  readonly score?: number | undefined;
} & ShownDoubts;

type ContextSection = {
  readonly kind: ContextKind;
  readonly items: ContextRow[];
  readonly note?: string;
};

/**
 * Sections of a briefing within a budget of tokens: triggered memories, for a task, recent and important, open work, the
 * last session.
 */
export async function contextSections(
  {
    budget,
    task,
    forTask,
  }: { readonly budget: number; readonly task?: string | undefined; readonly forTask: readonly ContextRow[] },
  store: Store,
  { project, now }: { readonly project: string | undefined; readonly now: Date },
): Promise<ContextSection[]> {
  let left = budget;
  const take = (rows: readonly ContextRow[], most: number): ContextRow[] => {
    let room = Math.min(left, most);
    return rows.filter((row) => {
      const cost = estimateTokens(contextLine(row)) + 1;
      if (cost > room) return false;
      room -= cost;
      left -= cost;
      return true;
    });
  };
  const messages = task === undefined ? [] : [{ role: "user" as const, content: task }];
  const [open, last, holding] = await Promise.all([
    store.work.open(project),
    store.sessions.lastWork(),
    triggeredFor(store, { messages, now, project }),
  ]);
  const triggered = take(await withShownDoubts(holding.map(contextRow), store), budget);
  // Open work is short and must not be crowded out by longer sections.
  const first = open.slice(0, MOST_WORK).map((item) => ({ id: workId(item.id), content: item.title }));
  const work = take(first, budget * (1 - TASK_SHARE));
  const isTriggered = new Set(triggered.map(({ id }) => id));
  const ofTask = take(
    await withShownDoubts(
      forTask.filter(({ id }) => !isTriggered.has(id)),
      store,
    ),
    left * TASK_SHARE,
  );
  const shown = [...triggered, ...ofTask].map(({ id }) => Number(id));
  const rows = await briefingRows(store, { project, shown, now });
  const recent = take(await withShownDoubts(rows.map(contextRow), store), left);
  // A memory that the session was shown already is not shown again.
  const isFresh =
    last && last.takenBy === undefined && now.getTime() - last.createdAt.getTime() < HANDOFF_DAYS * DAY_MS;
  const rest = open.length - work.length;
  const workNote = rest > 0 ? { note: `${rest} more: see \`chest_work\`` } : {};
  return [
    ...(triggered.length > 0 ? [{ kind: "triggered" as const, items: triggered }] : []),
    ...(ofTask.length > 0 ? [{ kind: "task" as const, items: ofTask }] : []),
    ...(recent.length > 0 ? [{ kind: "recent" as const, items: recent }] : []),
    ...(open.length > 0 ? [{ kind: "work" as const, items: work, ...workNote }] : []),
    ...(isFresh ? [{ kind: "handoff" as const, items: [], note: handoffNote(last.session, last.createdAt) }] : []),
  ];
}

export const contextRow = ({ id, layer, entity, content, createdAt }: Memory): ContextRow => ({
  id: String(id),
  content: cut(summaryLine(content), WIDTH),
  layer,
  about: entity.name,
  created_at: createdAt.toISOString(),
});

export function contextLine({ id, content, layer, about, created_at: at, ...doubts }: ContextRow): string {
  const { contradicted_by: opponents = [], stale = [] } = doubts;
  const facts = [
    layer,
    about,
    at === undefined ? undefined : dayOf(at),
    opponents.length > 0 ? `contradicted by ${opponents.join(", ")}` : undefined,
    stale.length > 0 ? `stale: ${cut(stale.join(", "), MAX_STALE)}` : undefined,
  ].filter((fact) => fact !== undefined);
  const cited = id.startsWith("W#") ? id : `[memory:${id}]`;
  return framed(`- ${cited}${facts.length > 0 ? ` (${facts.join(", ")})` : ""} ${content}`);
}

const handoffNote = (session: string, at: Date): string =>
  `it stopped on ${at.toISOString().slice(0, 16).replace("T", " ")}: \`chest_inspect\` with view "session" and session_id "${session}" shows where`;
