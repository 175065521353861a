import { isOneSubject } from "../../memory/memory.ts";
import type { WordHit } from "../../ports/search.ts";
import { likenessOf } from "../../statements/likeness.ts";
import { asksForPresent, saysChange } from "../../text/change-markers.ts";
import type { Candidate, Question } from "../candidates.ts";

/** Number of following rows to compare: a statement and its successor are found by the same questions. */
const AHEAD = 8;
/**
 * Longest statement in characters. A longer text uses words such as "now" and "instead of" for other things than its
 * subject, and shares its subject's words with every text about it. Measured in Latin letters.
 */
const LONGEST_STATEMENT = 300;
/** Latin letters that one CJK character counts as. */
const LETTERS_OF_CJK = 2.5;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Tolerance for sums of 32-bit floats. */
const SLACK = 0.999;

/** Thresholds for a later statement to replace an earlier one. */
interface Nearness {
  /** Share of common words of four letters and more. */
  readonly likeness: number;
  /** Coverage of the question by the later row's own words, relative to the earlier one's. */
  readonly coverage: number;
  /** Score by words, relative to the earlier row. */
  readonly score: number;
  /** Composite score, relative to the earlier row. */
  readonly composite: number;
}

/** Thresholds without other evidence: the later row covers the whole question in nearly the same words. */
const RESTATED: Nearness = { likeness: 0.5, coverage: SLACK, score: 0.7, composite: 0 };
/** Thresholds if the later row says that something changed. */
const CHANGED: Nearness = { likeness: 0.25, coverage: 0.5, score: 0, composite: 0.35 };
/**
 * Thresholds for that if a rule took the later row from a session: its subject is the project, and it mostly says what
 * happened there.
 */
const CHANGED_IN_SESSION: Nearness = { ...CHANGED, likeness: 0.4, coverage: 0.9 };
/** Thresholds if a rule found the two rows contradictory. */
const OPPOSED: Nearness = { likeness: 0.25, coverage: 0.9, score: 0, composite: 0.5 };
/** Thresholds if the question asks for the present state. */
const PRESENT: Nearness = { likeness: 0.4, coverage: 0.7, score: 0, composite: 0.5 };

/**
 * Ranks present facts before outdated ones: if one of the next rows is later and replaces the first, it takes its place
 * and score, and the first follows it. `earlier` names the outdated rows.
 * @returns whether another row is first now
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

/** Within one second, the higher id is later. */
const writtenAfter = (a: Candidate, b: Candidate): boolean =>
  isLater(a, b) || (!isLater(b, a) && a.memory.id > b.memory.id);

/** Whether words found both rows and the rows share words. */
const isRival = (other: Candidate, first: Candidate): boolean =>
  other.fused?.words !== undefined &&
  first.fused?.words !== undefined &&
  !isNoted(other, first) &&
  likenessOf(other.memory, first.memory) >= CHANGED.likeness;

/** Each pair is compared once. */
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

/** Whether it makes a statement about the same subject that excludes the earlier one. */
function replaces(later: Candidate, earlier: Candidate, { asksNow, areOpposed }: Evidence): boolean {
  if (!isOneSubject(later.memory, earlier.memory)) return false;
  if (isLater(later, earlier)) {
    if (areOpposed(later, earlier) && isNear(later, earlier, OPPOSED)) return true;
    if (asksNow && isNear(later, earlier, PRESENT) && areStatements(later, earlier)) return true;
  }
  return (
    writtenAfter(later, earlier) &&
    isNear(later, earlier, later.memory.sourceType === "conversation" ? CHANGED_IN_SESSION : CHANGED) &&
    isStatement(later.memory.content) &&
    saysChange(later.memory.content)
  );
}

function isNear(later: Candidate, earlier: Candidate, least: Nearness): boolean {
  const [its, said] = [later.fused?.words, earlier.fused?.words];
  if (!its || !said) return false;
  return (
    ownCoverage(its) > 0 &&
    ownCoverage(its) >= least.coverage * ownCoverage(said) &&
    its.score >= least.score * said.score &&
    later.score.composite >= least.composite * earlier.score.composite &&
    likenessOf(later.memory, earlier.memory) >= least.likeness
  );
}

/** Words that neighbours lend are no statement of the row. */
const ownCoverage = ({ coverage, lent = 0 }: WordHit): number => coverage - lent;

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
