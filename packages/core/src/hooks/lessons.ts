import { NOT_UNASKED } from "../continuity/briefing.ts";
import { decayedValue, isLesson, recency } from "../continuity/decayed-value.ts";
import { unaskedQuestion } from "../continuity/unasked-question.ts";
import { isNamedIn } from "../files/named-in.ts";
import type { Memory } from "../memory/memory.ts";
import type { Surface } from "../ports/impressions.ts";
import { type Candidate, candidatesByQuery } from "../recall/candidates.ts";
import { contradictionOf } from "../statements/merge-guard.ts";
import type { ToolPorts } from "../tool.ts";
import type { SourceRule } from "../transcript/candidate.ts";
import { failedLineOf } from "../transcript/failed-line.ts";
import {
  type Block,
  type BlockContents,
  type HookEntry,
  idsOf,
  type LineReason,
  recallBlock,
  shownLines,
  withDoubts,
} from "./block.ts";

/** Description of an event by its host. */
interface Event {
  readonly session_id?: string | undefined;
  /** Memories that the session was shown already. */
  readonly shown: readonly number[];
}

interface LessonQuery extends Omit<BlockContents, "rows" | "now"> {
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
  /** Rows below this share of the best weight are left out. */
  readonly leastShare?: number;
  /** Whether a row is a note: notes are compared with each other, and come after what is known. */
  isNote?(memory: Memory): boolean;
  /** Receives each row that is left out, and why. */
  readonly onSkip?: OnSkip | undefined;
}

/** Reasons to leave out a row that was found. */
export type OutReason = "says_little" | "asks" | "weak_beside_best" | "repeats" | "own" | "over_limit" | "shown_before";

/** Receives a memory that is left out, and the better one that it repeats. */
export type OnSkip = (id: number, why: OutReason, better?: number) => void;

const LOOKED_AT = 30;
// Factor of a lesson: of two memories that match alike, the lesson comes first. A higher factor would put it before the
// answer.
const LESSON = 1.1;

/**
 * Recalls for an event without a question: the best memories that the session neither wrote itself nor
 * was shown before, if there are any. Nothing is marked as read, and no model is waited for long.
 */
export async function passiveRecall(query: LessonQuery, ports: ToolPorts): Promise<Block | undefined> {
  const { event, withoutRules, limit, files = [], known = [] } = query;
  const { isFit, weigh, leastShare = 0, isNote, onSkip, ...shown } = query;
  const { limits, store } = ports;
  const question = await unaskedQuestion(query.query, { withoutRules, limit: LOOKED_AT }, ports);
  const quick = { ...ports, limits: { ...limits, queryEmbedMs: Math.min(limits.queryEmbedMs, PASSIVE_EMBED_MS) } };
  const { candidates } = await candidatesByQuery(question, quick);
  const found: WeighedEntry[] = [];
  let looked = 0;
  for await (const candidate of candidates) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    const { memory, score } = candidate;
    const out = isQuestion(memory.content) ? "asks" : isFit(candidate) ? undefined : "says_little";
    if (out) {
      onSkip?.(memory.id, out);
      continue;
    }
    const factor = recency(memory, question.now) * filesFactor(memory.content, files);
    const weight = weigh?.(candidate, factor) ?? factor * weightOf(candidate);
    found.push({ memory, score: score.composite, weight, reason: reasonOf(candidate, shown.occasion) });
  }
  const isFound = new Set(found.map(({ memory }) => memory.id));
  for (const memory of known) {
    if (isFound.has(memory.id) || memory.flags.length > 0 || memory.category === NOT_UNASKED) continue;
    const weight = decayedValue(memory, question.now);
    found.push({ memory, score: undefined, weight, reason: { kind: "file" } });
  }
  found.sort((a, b) => b.weight - a.weight || b.memory.id - a.memory.id);
  const own = event.session_id === undefined ? NONE : await store.sessions.ownIds(event.session_id);
  const passes =
    (why: OutReason, isIn: (row: WeighedEntry, at: number) => boolean) => (row: WeighedEntry, at: number) => {
      const isKept = isIn(row, at);
      if (!isKept) onSkip?.(row.memory.id, why);
      return isKept;
    };
  const nearBest = (sorted: readonly WeighedEntry[]) => {
    const least = leastShare * (sorted[0]?.weight ?? 0);
    return sorted.filter(passes("weak_beside_best", ({ weight }) => weight >= least));
  };
  const [notes = [], memories = []] = [true, false].map((is) =>
    nearBest(found.filter(({ memory }) => (isNote?.(memory) ?? false) === is)),
  );
  const kept = saidOnce([...memories, ...notes], onSkip).filter(passes("own", ({ memory: { id } }) => !own.has(id)));
  const keptNotes = kept.filter((row) => notes.includes(row));
  // If there is a note, it gets one of the places.
  const places = keptNotes.length > 0 ? limit - 1 : limit;
  const keptMemories = kept
    .filter((row) => !notes.includes(row))
    .filter(passes("over_limit", (_row, at) => at < places));
  const rows = [...keptMemories, ...keptNotes]
    .filter(passes("over_limit", (_row, at) => at < limit))
    // Filtered after the cut, so that no worse row takes the place of one that was shown before.
    .filter(passes("shown_before", ({ memory: { id } }) => !event.shown.includes(id)))
    .map(({ memory, score, reason }) => ({ memory, score, reason }));
  return recallBlock({ ...shown, rows: await withDoubts(rows, store), now: question.now });
}

interface WeighedEntry extends HookEntry {
  readonly weight: number;
}

/** Answers a hook with a block, and notes what the session was shown. */
export function shownBlock(
  block: Block | undefined,
  surface: Surface,
  session: string | undefined,
  { store }: Pick<ToolPorts, "store">,
) {
  if (!block) return { ok: true as const };
  store.noteImpressions({ session, surface, lines: shownLines(block.lines) });
  return { ok: true as const, context: block.text, shown: idsOf(block.lines) };
}

function reasonOf({ fused }: Candidate, occasion: BlockContents["occasion"]): LineReason {
  const [words, meaning] = [fused?.words?.coverage ?? 0, Math.max(0, fused?.semantic ?? 0)];
  if (occasion === "file" || occasion === "failure") return { kind: occasion };
  const kind = words > 0 && meaning > 0 ? "both" : meaning > 0 ? "meaning" : "words";
  return { kind, ...(words > 0 ? { words: Math.min(1, words) } : {}), ...(meaning > 0 ? { meaning } : {}) };
}

const weightOf = ({ memory, score }: Candidate): number => score.composite * (isLesson(memory.layer) ? LESSON : 1);

const NONE: ReadonlySet<number> = new Set();
// A prompt is being held up meanwhile.
const PASSIVE_EMBED_MS = 400;

/** True for a text that only asks. Prompts are stored as they came, and an old question would rank above its answer. */
const isQuestion = (content: string): boolean => /^[^.!?。！？\n]*[?？]\s*$/.test(content);

/** Removes lessons that repeat a better one or say less of the same, but none that contradicts the other. */
function saidOnce<Row extends HookEntry>(rows: readonly Row[], onSkip: OnSkip | undefined): Row[] {
  const kept: Row[] = [];
  for (const row of rows) {
    const better = kept.find(({ memory }) => isRepeat(memory.content, row.memory.content));
    if (better) onSkip?.(row.memory.id, "repeats", better.memory.id);
    else kept.push(row);
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
