import type { Candidate } from "../candidates.ts";
import { likenessOf } from "./likeness.ts";

/** So many that come next are compared: a statement and what came of it are found by the same questions. */
const AHEAD = 8;
/** From this likeness on, two contents are statements about one thing. */
const SAME_SUBJECT = 0.5;
/** A later statement whose words score so much less answers something else. */
const LEAST_OF_SCORE = 0.7;
/** Parts of a question are added up as 32-bit numbers. */
const SLACK = 0.999;

/**
 * Puts what holds now before what it was: where one of the next says as much of the question as the first, in about the
 * same words, and was written later, it is as relevant, and the first comes right after it. The numbers say so.
 * @returns whether the order has changed: then another is first
 */
export function putLatestFirst(waiting: Candidate[]): boolean {
  const first = waiting[0];
  if (!first) return false;
  let latest = 0;
  for (let at = 1; at < waiting.length && at <= AHEAD; at++) {
    const other = waiting[at] as Candidate;
    const { memory } = waiting[latest] as Candidate;
    if (other.memory.createdAt > memory.createdAt && restates(other, first)) latest = at;
  }
  if (latest === 0) return false;
  const later = asRelevantAs(first, waiting[latest] as Candidate);
  waiting[latest] = later;
  waiting[0] = outdatedBy(later, first);
  return true;
}

function restates(other: Candidate, first: Candidate): boolean {
  const [its, said] = [other.fused?.words, first.fused?.words];
  if (!its || !said) return false;
  return (
    (its.coverage ?? 0) >= SLACK * (said.coverage ?? 0) &&
    its.score >= LEAST_OF_SCORE * said.score &&
    likenessOf(other.memory, first.memory) >= SAME_SUBJECT
  );
}

function asRelevantAs({ score: first }: Candidate, later: Candidate): Candidate {
  const { score } = later;
  const relevance = Math.max(first.relevance, score.relevance);
  const composite = (score.composite * relevance) / score.relevance;
  return { ...later, score: { ...score, relevance, composite } };
}

function outdatedBy({ score: { composite } }: Candidate, first: Candidate): Candidate {
  const { score } = first;
  const penalty = Math.min(1, (SLACK * composite) / score.composite);
  return {
    ...first,
    score: {
      ...score,
      composite: penalty * score.composite,
      supersessionPenalty: penalty * score.supersessionPenalty,
    },
  };
}
