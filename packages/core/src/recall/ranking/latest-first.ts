import { isOneSubject } from "../../memory/memory.ts";
import { asksForPresent, saysChange } from "../../text/change-markers.ts";
import type { Candidate, Question } from "../candidates.ts";
import { likenessOf } from "./likeness.ts";

/** Rows compared ahead: a statement and its successor are found by the same questions. */
const AHEAD = 8;
/**
 * A longer text is a passage: it says "now" and "instead of" of other things than the one that it is about, and shares the words of
 * its subject with all passages about it. In letters as a reader of English sees them.
 */
const LONGEST_STATEMENT = 300;
/** A sign of a script that is written without blanks says as much as so many letters. */
const LETTERS_OF_CJK = 2.5;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Parts of a question are added up as 32-bit numbers. */
const SLACK = 0.999;

/** How near a later statement must come to an earlier one to be about the same, by what speaks for it. */
interface Nearness {
  /** Share of the words of four letters and more that stand in both. */
  readonly likeness: number;
  /** How much of the question the later one says, as a share of what the earlier one says of it. */
  readonly coverage: number;
  /** The same share of the score by words. */
  readonly score: number;
  /** The same share of the composite. */
  readonly composite: number;
}

/** Thresholds for words alone: it must say all of the question in much the same words. */
const RESTATED: Nearness = { likeness: 0.5, coverage: SLACK, score: 0.7, composite: 0 };
/** It says itself that something has changed. */
const CHANGED: Nearness = { likeness: 0.25, coverage: 0.5, score: 0, composite: 0.35 };
/** A rule has found that both cannot hold. */
const OPPOSED: Nearness = { likeness: 0.25, coverage: 0.9, score: 0, composite: 0.5 };
/** The question is how it is now. */
const PRESENT: Nearness = { likeness: 0.4, coverage: 0.7, score: 0, composite: 0.5 };

/**
 * Puts what holds now before what it was: where one of the next was written later and takes the place of the first, it is
 * as relevant, and the first comes right after it. The numbers say so, and `earlier` names what is out of date.
 * @returns whether the order has changed: then another is first
 */
export function putLatestFirst(waiting: Candidate[], { query }: Question): boolean {
  const first = waiting[0];
  if (!first) return false;
  const next = waiting.slice(1, 1 + AHEAD);
  const rivals = next.filter((other) => isRival(other, first));
  if (rivals.length === 0) return false;
  const excluded = new Set(first.opponents);
  const evidence = {
    asksNow: query !== undefined && asksForPresent(query.text),
    areOpposed: (a: Candidate, b: Candidate) => excluded.has(a.memory.id) || excluded.has(b.memory.id),
  };
  let latest = first;
  for (const other of rivals) {
    const isLatest = latest === first || writtenAfter(other, latest);
    if (isLatest && (restates(other, first) || replaces(other, first, evidence))) latest = other;
  }
  if (latest === first) {
    const outdated = rivals.filter((other) => replaces(first, other, evidence));
    if (outdated.length > 0) waiting[0] = instead(first, outdated);
    return false;
  }
  const raised = asRelevantAs(first, latest);
  waiting[waiting.indexOf(latest)] = replaces(latest, first, evidence) ? instead(raised, [first]) : raised;
  waiting[0] = outdatedBy(raised, first);
  return true;
}

interface Evidence {
  readonly asksNow: boolean;
  areOpposed(a: Candidate, b: Candidate): boolean;
}

const isLater = ({ memory: a }: Candidate, { memory: b }: Candidate): boolean => a.createdAt > b.createdAt;

/** Within one second, ids tell the order. */
const writtenAfter = (a: Candidate, b: Candidate): boolean =>
  isLater(a, b) || (!isLater(b, a) && a.memory.id > b.memory.id);

/** Do words find both, and do they share some of their own. */
const isRival = (other: Candidate, first: Candidate): boolean =>
  other.fused?.words !== undefined &&
  first.fused?.words !== undefined &&
  !isNoted(other, first) &&
  likenessOf(other.memory, first.memory) >= CHANGED.likeness;

/** Each pair is told apart once. */
const isNoted = ({ memory, earlier = [] }: Candidate, first: Candidate): boolean =>
  earlier.includes(first.memory.id) || (first.earlier ?? []).includes(memory.id);

const restates = (later: Candidate, earlier: Candidate): boolean =>
  isLater(later, earlier) && isNear(later, earlier, RESTATED) && areStatements(later, earlier);

const areStatements = (...rows: readonly Candidate[]): boolean =>
  rows.every(({ memory }) => isStatement(memory.content));

function isStatement(text: string): boolean {
  if (text.length > LONGEST_STATEMENT) return false;
  if (text.length * LETTERS_OF_CJK <= LONGEST_STATEMENT) return true;
  const signs = text.match(CJK)?.length ?? 0;
  return text.length + (LETTERS_OF_CJK - 1) * signs <= LONGEST_STATEMENT;
}

/** Whether it says of the same subject something that excludes the earlier one. */
function replaces(later: Candidate, earlier: Candidate, { asksNow, areOpposed }: Evidence): boolean {
  if (!isOneSubject(later.memory, earlier.memory)) return false;
  if (isLater(later, earlier)) {
    if (areOpposed(later, earlier) && isNear(later, earlier, OPPOSED)) return true;
    if (asksNow && isNear(later, earlier, PRESENT) && areStatements(later, earlier)) return true;
  }
  return (
    writtenAfter(later, earlier) &&
    isNear(later, earlier, CHANGED) &&
    isStatement(later.memory.content) &&
    saysChange(later.memory.content)
  );
}

function isNear(later: Candidate, earlier: Candidate, least: Nearness): boolean {
  const [its, said] = [later.fused?.words, earlier.fused?.words];
  if (!its || !said) return false;
  return (
    its.coverage >= least.coverage * said.coverage &&
    its.score >= least.score * said.score &&
    later.score.composite >= least.composite * earlier.score.composite &&
    likenessOf(later.memory, earlier.memory) >= least.likeness
  );
}

const instead = (later: Candidate, outdated: readonly Candidate[]): Candidate => ({
  ...later,
  earlier: [
    ...new Set([...(later.earlier ?? []), ...outdated.flatMap(({ memory, earlier = [] }) => [memory.id, ...earlier])]),
  ],
});

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
