import type { Memory } from "../../memory/memory.ts";
import type { ToolPorts } from "../../tool.ts";
import type { Candidate, Question } from "../candidates.ts";
import { Stretches } from "../yield-turn.ts";
import { takeOnce } from "./dedupe.ts";
import type { Fused } from "./fuse.ts";
import { putLatestFirst } from "./latest-first.ts";
import { measure, readMeasured } from "./measure.ts";

/** Rows fetched at a time: those of a usual page, and some that could overtake its last ones. */
export const FETCHED = 48;

/** Orders that an answer may have. */
export const SORTS = ["relevance", "recent", "importance"] as const;
export type Sort = (typeof SORTS)[number];

const newer = (a: Candidate, b: Candidate): number => b.memory.createdAt.getTime() - a.memory.createdAt.getTime();

/** Within one second, the higher id is later. */
const latest = (a: Candidate, b: Candidate): number => newer(a, b) || b.memory.id - a.memory.id;

/** By composite score, then literal match, confidence, newer, smaller id. */
const byPlace = (a: Candidate, b: Candidate): number =>
  b.score.composite - a.score.composite ||
  Number(b.isLiteral()) - Number(a.isLiteral()) ||
  b.memory.confidence - a.memory.confidence ||
  newer(a, b) ||
  a.memory.id - b.memory.id;

/** Every order is total, so that pages neither repeat nor skip. */
export const ORDERS: Readonly<Record<Sort, (a: Candidate, b: Candidate) => number>> = {
  relevance: byPlace,
  recent: latest,
  importance: (a, b) => b.memory.importance - a.memory.importance || latest(a, b),
};

/**
 * Yields the fused rows as candidates in their final order, without repeats. Heat, momentum and importance can raise a
 * row only to a limit above its relevance, so a row is yielded once no unfetched row can overtake it, and rows beyond
 * the page are mostly never fetched. For other orders than relevance all rows are fetched first.
 * @param read memories that were already read
 */
export async function* inOrder(
  fused: readonly Fused[],
  question: Question,
  ports: ToolPorts,
  read: readonly Memory[] = [],
): AsyncGenerator<Candidate, void, undefined> {
  const known = new Map(read.map((memory) => [memory.id, memory]));
  const waiting: Candidate[] = [];
  const isByTime = question.sort === "relevance" && !question.ignoreDecay;
  for (let from = 0; from < fused.length; from += FETCHED) {
    const rows = fused.slice(from, from + FETCHED);
    const memories = await fetched(
      rows.map(({ id }) => id),
      known,
      question,
      ports,
    );
    const measured = await measure(memories, new Map(rows.map((row) => [row.id, row])), question, ports);
    waiting.push(...measured.filter((candidate) => isInBand(candidate, question)));
    waiting.sort(ORDERS[question.sort]);
    const reach = reachOf(fused[from + FETCHED], question);
    const stretches = new Stretches();
    for (;;) {
      const first = waiting[0];
      if (!first || first.score.composite <= reach) break;
      if (isByTime && putLatestFirst(waiting, question)) waiting.sort(byPlace);
      else yield (await takeOnce(waiting, stretches)) as Candidate;
    }
  }
}

/** Memories with these ids; only unknown ones are read. */
async function fetched(
  ids: readonly number[],
  known: ReadonlyMap<number, Memory>,
  question: Question,
  ports: ToolPorts,
): Promise<Memory[]> {
  const missing = ids.filter((id) => !known.has(id));
  const read = missing.length > 0 ? await readMeasured(missing, question, ports) : [];
  return [...ids.flatMap((id) => known.get(id) ?? []), ...read];
}

export const isInBand = (candidate: Candidate, { band }: Pick<Question, "band">): boolean =>
  band === undefined || candidate.band === band;

/** Upper bound of the score of this row and all after it; nothing can follow the last row. */
function reachOf(next: Fused | undefined, { sort, ranking: { weights } }: Question): number {
  if (!next) return Number.NEGATIVE_INFINITY;
  if (sort !== "relevance") return Number.POSITIVE_INFINITY;
  return next.relevance * (weights.relevance + weights.heat + weights.momentum + weights.importance);
}
