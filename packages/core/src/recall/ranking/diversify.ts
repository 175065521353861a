import { isOneSubject } from "../../memory/memory.ts";
import { likenessOf } from "../../statements/likeness.ts";
import type { Candidate } from "../candidates.ts";
import { chain, iterate } from "../streams.ts";

/** Number of rows to choose from: no row is moved down further. */
const AHEAD = 24;
/** Contents below this similarity count as different. */
const DIFFERENT = 0.3;
/** Penalty for a repeat of a chosen memory, as a share of the best score. */
const COST_OF_LIKENESS = 0.3;

interface Room {
  readonly tokens: number;
  readonly limit: number;
  /** Least tokens that a candidate needs. */
  leastOf(candidate: Candidate): number;
}

interface Contender {
  readonly candidate: Candidate;
  /** Similarity to the most similar chosen memory. */
  likeness: number;
}

/**
 * Orders hits by maximal marginal relevance if they do not all fit: new statements come before repeats, and the best
 * stays first. All pages use the same order, decided on the first page.
 */
export async function* varied(
  ordered: AsyncIterable<Candidate> | Iterable<Candidate>,
  { tokens, limit, leastOf }: Room,
): AsyncGenerator<Candidate> {
  const rest = iterate(ordered);
  const first: Candidate[] = [];
  let left = tokens;
  while (left >= 0 && first.length < limit) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    left -= leastOf(value);
  }
  if (left >= 0) {
    yield* first;
    yield* rest;
    return;
  }
  const waiting: Contender[] = [];
  const taken: Candidate[] = [];
  for await (const candidate of chain(first, rest)) {
    waiting.push({ candidate, likeness: Math.max(0, ...taken.map((other) => likeness(candidate, other))) });
    if (waiting.length > AHEAD) yield take(waiting, taken);
  }
  while (waiting.length > 0) yield take(waiting, taken);
}

/** Takes the row with the greatest value beside the chosen ones; the first is the best row. */
function take(waiting: Contender[], taken: Candidate[]): Candidate {
  const most = (taken[0] ?? waiting[0]?.candidate)?.score.composite ?? 0;
  const worth = ({ candidate: { score }, likeness }: Contender) => score.composite - COST_OF_LIKENESS * most * likeness;
  let best = 0;
  for (let at = taken.length === 0 ? waiting.length : 1; at < waiting.length; at++)
    if (worth(waiting[at] as Contender) > worth(waiting[best] as Contender)) best = at;
  const [{ candidate }] = waiting.splice(best, 1) as [Contender];
  taken.push(candidate);
  for (const each of waiting) each.likeness = Math.max(each.likeness, likeness(each.candidate, candidate));
  return candidate;
}

/** From 0, different, to 1, the same. Memories of different subjects always differ. */
function likeness({ memory: a }: Candidate, { memory: b }: Candidate): number {
  if (!isOneSubject(a, b)) return 0;
  return Math.max(0, likenessOf(a, b) - DIFFERENT) / (1 - DIFFERENT);
}
