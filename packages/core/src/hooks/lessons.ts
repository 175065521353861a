import { NOT_UNASKED } from "../continuity/briefing.ts";
import { isLesson, passiveValue, recency } from "../continuity/passive-value.ts";
import { unaskedQuestion } from "../continuity/unasked-question.ts";
import { isNamedIn } from "../files/named-in.ts";
import { contradictionOf } from "../lifecycle/merge-guard.ts";
import type { Memory } from "../memory/memory.ts";
import { type Candidate, candidatesByQuery } from "../recall/candidates.ts";
import type { ToolPorts } from "../tool.ts";
import type { SourceRule } from "../transcript/candidate.ts";
import { failedLineOf } from "../transcript/failed-line.ts";
import { type HookEntry, type RowsShown, recallBlock, withDoubts } from "./block.ts";

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
  /** Memories that fit, whether or not their words do. */
  readonly known?: readonly Memory[];
  /** Files that the session has at hand: what names one of them comes a little earlier. */
  readonly files?: readonly string[];
  isFit(candidate: Candidate): boolean;
  /**
   * In place of the composite score, in which a lesson counts for a little more.
   * @param factor by which age and the files at hand change a score
   */
  weigh?(candidate: Candidate, factor: number): number;
  /** Share of the best weight below which a row says too little beside it. */
  readonly leastShare?: number;
  /** Whether a row is a note: notes are compared with each other, and come after what is known. */
  isNote?(memory: Memory): boolean;
}

const LOOKED_AT = 30;
// Between two memories that fit alike, the lesson comes first; a higher factor would put one before the answer.
const LESSON = 1.1;

/**
 * Recalls for an event without a question: the best memories that the session neither wrote itself nor
 * was shown before, if there are any. Nothing is marked as read, and no model is waited for long.
 */
export async function passiveRecall(
  {
    event,
    query,
    withoutRules,
    limit,
    files = [],
    known = [],
    isFit,
    weigh,
    leastShare = 0,
    isNote,
    ...shown
  }: LessonQuery,
  ports: ToolPorts,
) {
  const { limits, store } = ports;
  const question = await unaskedQuestion(query, { withoutRules, limit: LOOKED_AT }, ports);
  const quick = { ...ports, limits: { ...limits, queryEmbedMs: Math.min(limits.queryEmbedMs, PASSIVE_EMBED_MS) } };
  const { candidates } = await candidatesByQuery(question, quick);
  const found: Found[] = [];
  let looked = 0;
  for await (const candidate of candidates) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (!isFit(candidate) || isQuestion(candidate.memory.content)) continue;
    const factor = recency(candidate.memory, question.now) * filesFactor(candidate.memory.content, files);
    const { memory, score } = candidate;
    const weight = weigh?.(candidate, factor) ?? factor * weightOf(candidate);
    found.push({ memory, score: score.composite, weight });
  }
  const isFound = new Set(found.map(({ memory }) => memory.id));
  for (const memory of known) {
    if (isFound.has(memory.id) || memory.flags.length > 0 || memory.category === NOT_UNASKED) continue;
    found.push({ memory, score: undefined, weight: passiveValue(memory, question.now) });
  }
  found.sort((a, b) => b.weight - a.weight || b.memory.id - a.memory.id);
  const own = event.session_id === undefined ? NONE : await store.sessions.ownIds(event.session_id);
  const notes = isNote
    ? nearBest(
        found.filter(({ memory }) => isNote(memory)),
        leastShare,
      )
    : [];
  const best = nearBest(isNote ? found.filter(({ memory }) => !isNote(memory)) : found, leastShare);
  // One place is a note's, where there is one.
  const rows = saidOnce([...best.slice(0, notes.length > 0 ? limit - 1 : limit), ...notes])
    .filter(({ memory: { id } }) => !own.has(id))
    .slice(0, limit)
    // After the cut: nothing worse moves up into the place of what was shown before.
    .filter(({ memory: { id } }) => !event.shown.includes(id));
  const block = recallBlock({ ...shown, rows: await withDoubts(rows, store), now: question.now });
  return block ? { ok: true as const, context: block.text, shown: block.ids } : { ok: true as const };
}

interface Found {
  readonly memory: Memory;
  readonly score: number | undefined;
  readonly weight: number;
}

const nearBest = (sorted: readonly Found[], share: number): readonly Found[] =>
  sorted.filter(({ weight }) => weight >= share * (sorted[0]?.weight ?? 0));

const weightOf = ({ memory, score }: Candidate): number => score.composite * (isLesson(memory.layer) ? LESSON : 1);

const NONE: ReadonlySet<number> = new Set();
// A prompt is being held up meanwhile.
const PASSIVE_EMBED_MS = 400;

/** True for a text that only asks. Prompts are stored as they came, and an old question would rank above its answer. */
const isQuestion = (content: string): boolean => /^[^.!?。！？\n]*[?？]\s*$/.test(content);

/** Removes lessons that repeat a better one or say less of the same, but none that contradicts the other. */
function saidOnce(rows: readonly HookEntry[]): HookEntry[] {
  const kept: HookEntry[] = [];
  for (const { memory, score } of rows) {
    if (!kept.some((each) => isRepeat(each.memory.content, memory.content))) kept.push({ memory, score });
  }
  return kept;
}

// A longer sentence names more, and contradicts nothing by that.
function isRepeat(a: string, b: string): boolean {
  const failed = failedLineOf(a);
  return (
    (failed !== undefined && failed === failedLineOf(b)) ||
    a === b ||
    ((a.includes(b) || b.includes(a)) && contradictionOf(a, b) === undefined)
  );
}

const MOST_FOR_FILES = 0.3;

/** Factor from 1 to 1.3: the share of the files at hand that a text names, by half where it names their folder alone. */
function filesFactor(content: string, files: readonly string[]): number {
  if (files.length === 0) return 1;
  const text = content.toLowerCase();
  const shares = files.map((file) => {
    const path = file.toLowerCase().replaceAll("\\", "/");
    const cut = path.lastIndexOf("/");
    if (isNamedIn(text, path, path.slice(cut + 1))) return 1;
    return cut > 0 && text.includes(path.slice(0, cut + 1)) ? 0.5 : 0;
  });
  return 1 + MOST_FOR_FILES * (shares.reduce((sum: number, share) => sum + share, 0) / files.length);
}
