import { NOT_UNASKED, SHOWN_LAYERS } from "../continuity/briefing.ts";
import { filesFactor } from "../continuity/files-at-hand.ts";
import { isLesson, recency } from "../continuity/passive-value.ts";
import { contradictionOf } from "../lifecycle/merge-guard.ts";
import { type Candidate, candidatesByQuery } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import type { ToolPorts } from "../tool.ts";
import type { SourceRule } from "../transcript/candidate.ts";
import { type HookEntry, type RowsShown, recallBlock, withContradictions } from "./block.ts";

/** Description of an event by its host. */
interface Event {
  readonly session_id?: string | undefined;
  /** Memories that the session was shown already. */
  readonly shown: readonly number[];
}

interface LessonQuery extends Omit<RowsShown, "rows" | "now"> {
  readonly event: Event;
  readonly query: string;
  /** Rows found by these rules are passed over. */
  readonly withoutRules: readonly SourceRule[];
  readonly limit: number;
  /** Files that the session has at hand: what names one of them comes a little earlier. */
  readonly files?: readonly string[];
  isFit(candidate: Candidate): boolean;
  /**
   * In place of the composite score, in which a lesson counts for a little more.
   * @param factor by which age and the files at hand change a score
   */
  weigh?(candidate: Candidate, factor: number): number;
}

const LOOKED_AT = 30;
// Of two memories that fit alike, the lesson comes first; more than this would put one before the answer.
const LESSON = 1.1;

/**
 * Recalls for an event without a question: the best memories that the session neither wrote itself nor
 * was shown before, if there are any. Nothing is marked as read, and no model is waited for long.
 */
export async function passiveRecall(
  { event, query, withoutRules, limit, files = [], isFit, weigh, ...shown }: LessonQuery,
  ports: ToolPorts,
) {
  const { ranking, clock, limits, store } = ports;
  const question = {
    query: readQuery(query, ranking.synonyms),
    filter: {
      reach: "here",
      layers: SHOWN_LAYERS,
      withoutRules,
      withoutCategory: NOT_UNASKED,
      isFlagged: false,
      withArchived: false,
      withSuperseded: false,
    },
    band: undefined,
    sort: "relevance" as const,
    maxTokens: 3000,
    limit: LOOKED_AT,
    offset: 0,
    ignoreDecay: false,
    active: (await store.identities()).active,
    ranking,
    now: clock.now(),
  } as const;
  const quick = { ...ports, limits: { ...limits, queryEmbedMs: Math.min(limits.queryEmbedMs, PASSIVE_EMBED_MS) } };
  const { candidates } = await candidatesByQuery(question, quick);
  const found: { candidate: Candidate; weight: number }[] = [];
  let looked = 0;
  for await (const candidate of candidates) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (!isFit(candidate) || isQuestion(candidate.memory.content)) continue;
    const factor = recency(candidate.memory, question.now) * filesFactor(candidate.memory.content, files);
    found.push({ candidate, weight: weigh?.(candidate, factor) ?? factor * weightOf(candidate) });
  }
  const best = found.sort((a, b) => b.weight - a.weight || b.candidate.memory.id - a.candidate.memory.id);
  const own = event.session_id === undefined ? NONE : await store.sessions.ownIds(event.session_id);
  const rows = saidOnce(best.map(({ candidate }) => ({ memory: candidate.memory, score: candidate.score.composite })))
    .filter(({ memory: { id } }) => !own.has(id) && !event.shown.includes(id))
    .slice(0, limit);
  const block = recallBlock({ ...shown, rows: await withContradictions(rows, store), now: question.now });
  return block ? { ok: true as const, context: block.text, shown: block.ids } : { ok: true as const };
}

const weightOf = ({ memory, score }: Candidate): number => score.composite * (isLesson(memory.layer) ? LESSON : 1);

const NONE: ReadonlySet<number> = new Set();
// A prompt is being held up meanwhile.
const PASSIVE_EMBED_MS = 400;

/** Only asks. Prompts are kept as they came, and one that was asked before would stand before its answer. */
const isQuestion = (content: string): boolean => /^[^.!?。！？\n]*[?？]\s*$/.test(content);

/** Without those that hold what a better one says, or say less of the same; never where one contradicts the other. */
function saidOnce(rows: readonly HookEntry[]): HookEntry[] {
  const kept: HookEntry[] = [];
  for (const row of rows) if (!kept.some(({ memory }) => isRepeat(memory.content, row.memory.content))) kept.push(row);
  return kept;
}

// What says more of the same names more, and contradicts nothing by that.
function isRepeat(a: string, b: string): boolean {
  return a === b || ((a.includes(b) || b.includes(a)) && contradictionOf(a, b) === undefined);
}
