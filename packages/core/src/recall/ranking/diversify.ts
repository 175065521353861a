import { isOneSubject } from "../../memory/memory.ts";
import type { Candidate } from "../candidates.ts";
import { chain, iterate } from "../streams.ts";
import { likenessOf } from "./likeness.ts";

/** Rows to choose from: none is passed over by more. */
const AHEAD = 24;
/** Up to this likeness two contents are about as different as any two are. */
const DIFFERENT = 0.3;
/** Penalty for full likeness to a memory already taken, as a share of the best composite. */
const COST_OF_LIKENESS = 0.3;

interface Room {
  readonly tokens: number;
  readonly limit: number;
  /** Tokens that a candidate costs at the least, as it is shown. */
  leastOf(candidate: Candidate): number;
}

interface Contender {
  readonly candidate: Candidate;
  /** To the one among those taken that it is most like. */
  likeness: number;
}

/**
 * Orders hits by maximal marginal relevance where not everything fits: new statements come before more of the same, the best
 * first as ever. One order for all pages: whether there is room is asked of the first page.
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

/** Takes out the one that is worth most beside those taken; the first is worth most by itself. */
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

/** 0 as different as any two, 1 the same. Of two subjects like words say two things. */
function likeness({ memory: a }: Candidate, { memory: b }: Candidate): number {
  if (!isOneSubject(a, b)) return 0;
  return Math.max(0, likenessOf(a, b) - DIFFERENT) / (1 - DIFFERENT);
}
