import type { ToolPorts } from "../tool.ts";
import type { Candidate, Question } from "./candidates.ts";
import type { Fused } from "./fuse.ts";
import { measure } from "./measure.ts";
import type { Ranking } from "./ranking.ts";

/** Rows fetched at a time: what an ordinary page shows, and some that could overtake its last ones. */
const FETCHED = 48;

/** By composite, then typed as it stands, newer, smaller id. */
export const byPlace = (a: Candidate, b: Candidate): number =>
  b.score.composite - a.score.composite ||
  Number(b.isLiteral()) - Number(a.isLiteral()) ||
  b.memory.createdAt.getTime() - a.memory.createdAt.getTime() ||
  a.memory.id - b.memory.id;

/**
 * The fused rows as candidates in their final order. Heat, momentum and importance can lift a row only so far above its
 * relevance: a row is given once nothing that was not fetched yet can come before it, so that what a page does not
 * reach is mostly never fetched.
 */
export async function* inOrder(
  fused: readonly Fused[],
  question: Question,
  ports: ToolPorts,
): AsyncGenerator<Candidate, void, undefined> {
  let waiting: Candidate[] = [];
  for (let from = 0; from < fused.length; from += FETCHED) {
    const rows = fused.slice(from, from + FETCHED);
    const memories = await ports.store.memories.byIds(rows.map(({ id }) => id));
    const measured = await measure(memories, new Map(rows.map((row) => [row.id, row])), question, ports);
    waiting = [...waiting, ...measured].sort(byPlace);
    const next = fused[from + FETCHED];
    const reach = next ? mostOf(next.relevance, question.ranking) : Number.NEGATIVE_INFINITY;
    const safe = waiting.findIndex(({ score }) => score.composite <= reach);
    yield* waiting.splice(0, safe < 0 ? waiting.length : safe);
  }
}

/** The largest composite that a row of this relevance can have. */
const mostOf = (relevance: number, { weights }: Pick<Ranking, "weights">): number =>
  weights.relevance * relevance + weights.heat + weights.momentum + weights.importance;
