import type { CosineScale } from "./cosines.ts";

/**
 * Evidence that a row answers the question, 0–1, independent of other rows: the share of the question's terms in it,
 * weighted by rarity, and its similarity in meaning. Either is enough, both together raise it further, and low
 * similarity reduces it. It decides which rows are shown; `likelihood` turns it into a probability.
 */
export const evidenceFor = (row: MeasuredRow): number => Math.max(0, evidence(row));

/**
 * Logistic curves that turn evidence into probabilities, fitted to the tuned parts of the sets in e2e/eval by words and
 * sentences: of 5,250 rows of the other parts, the share that answers lies within .02 of what is said, of 580 answers
 * within .03 (mean over ten bins, by their size).
 */
const ROW = { slope: 9.56, bias: -4.64 };
const ANSWER = { slope: 0.575, nearness: 0.987, bias: -0.387 };
/** For an answer by words alone, or by vectors whose cosines were not measured. */
const ANSWER_BY_ROWS = { slope: 0.873, bias: 1.51 };

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Probability that this row answers the question. */
const likelihood = (row: MeasuredRow): number => logistic(ROW.slope * evidenceFor(row) + ROW.bias);

/** Number of best rows from which the answer's confidence is computed. */
const BEST_ROWS = 10;

/**
 * Distance in meaning between the question and the whole list, in spreads of the model, times the logarithm of the
 * question's length: a long question about nothing is near to no text, a short one to many by chance. Joined to the
 * evidence of the rows it raises the separation of questions with and without an answer in each of seven sets, in the
 * mean from .893 to .906.
 * @param cosine the greatest of the list
 * @returns undefined for a model whose cosines were not measured
 */
export const nearnessOf = (cosine: number, scale: CosineScale, terms: number): number | undefined =>
  scale.sureFrom === undefined ? undefined : (cosine / scale.spread) * Math.log1p(terms);

/**
 * Probability that an answer is among the best rows, 0–1: one certain row is enough, and so are several likely ones.
 * Independent of how many are shown.
 * @param rows best first; an empty list gives 0
 * @param nearness of the list of vectors, if there is one
 */
export function answerConfidence(rows: readonly MeasuredRow[], nearness?: number): number {
  const none = rows.slice(0, BEST_ROWS).reduce((product, row) => product * (1 - likelihood(row)), 1);
  if (none === 1) return 0;
  const logOdds = Math.log((1 - none) / Math.max(none, Number.MIN_VALUE));
  return nearness === undefined
    ? logistic(ANSWER_BY_ROWS.slope * logOdds + ANSWER_BY_ROWS.bias)
    : logistic(ANSWER.slope * logOdds + ANSWER.nearness * nearness + ANSWER.bias);
}

/** Words for how well a row matches. */
export const MATCHES = ["strong", "fair", "weak"] as const;
export type Match = (typeof MATCHES)[number];

/** A strong row is an answer in three of four cases, a fair one in one of seven. */
const STRONG = 0.75;
const FAIR = 0.14;

/** Word for how well a row matches the question. */
export function matchOf(row: MeasuredRow): Match {
  const likely = likelihood(row);
  return likely >= STRONG ? "strong" : likely >= FAIR ? "fair" : "weak";
}

/** Rows with less evidence are not shown, not even beside a certain one. */
const LEAST_EVIDENCE = -0.1;

/** Whether a row may be in an answer: some evidence supports it and little speaks against it. */
export function isRelated(row: MeasuredRow): boolean {
  const sum = evidence(row);
  return sum !== 0 && sum > LEAST_EVIDENCE;
}

const evidence = ({ lexical = 0, semantic = 0 }: MeasuredRow): number =>
  semantic < 0 ? lexical + semantic : 1 - (1 - lexical) * (1 - semantic);

/** Values of a fused row that say how well it matches. */
interface MeasuredRow {
  readonly lexical?: number | undefined;
  readonly semantic?: number | undefined;
}
