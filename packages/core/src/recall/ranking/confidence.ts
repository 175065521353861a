/**
 * Evidence that a row answers the question, 0–1, independent of other rows: the share of the question that stands in
 * it, weighted by rarity, and its nearness in meaning. Either is enough, both raise it further, and distance in meaning
 * lowers it. It decides what is shown; how likely the row is an answer is its `likelihood`.
 */
export const evidenceFor = (row: MeasuredRow): number => Math.max(0, evidence(row));

/**
 * Logistic curves that turn evidence into probabilities, fitted to the tuned parts of the sets in e2e/eval by words and
 * sentences: of 5,250 rows of the other parts, the share that answers lies within .02 of what is said, of 580 answers
 * within .035 (mean over ten bins, by their size).
 */
const ROW = { slope: 9.56, bias: -4.64 };
const ANSWER = { slope: 0.873, bias: 1.51 };

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Probability that this row answers the question. */
const likelihood = (row: MeasuredRow): number => logistic(ROW.slope * evidenceFor(row) + ROW.bias);

/** Rows of an answer that its confidence is taken from. */
const BEST_ROWS = 10;

/**
 * Probability that an answer is among the best rows of a list, 0–1: one sure row is enough, and so are several likely
 * ones. The same however many of them are shown.
 * @param rows the best first; none is no confidence at all
 */
export function answerConfidence(rows: readonly MeasuredRow[]): number {
  const none = rows.slice(0, BEST_ROWS).reduce((product, row) => product * (1 - likelihood(row)), 1);
  if (none === 1) return 0;
  const logOdds = Math.log((1 - none) / Math.max(none, Number.MIN_VALUE));
  return logistic(ANSWER.slope * logOdds + ANSWER.bias);
}

/** Words for how near a row is. */
export const MATCHES = ["strong", "fair", "weak"] as const;
export type Match = (typeof MATCHES)[number];

/** A strong row is an answer in three of four cases, a fair one in one of seven. */
const STRONG = 0.75;
const FAIR = 0.14;

/** How near a row is to the question, in a word. */
export function matchOf(row: MeasuredRow): Match {
  const likely = likelihood(row);
  return likely >= STRONG ? "strong" : likely >= FAIR ? "fair" : "weak";
}

/** Evidence against a row below which it is not shown, not even beside one that is sure. */
const LEAST_EVIDENCE = -0.1;

/** Whether a row has a place in an answer at all: something speaks for it, and not much more against it. */
export function isRelated(row: MeasuredRow): boolean {
  const sum = evidence(row);
  return sum !== 0 && sum > LEAST_EVIDENCE;
}

const evidence = ({ said = 0, meant = 0 }: MeasuredRow): number =>
  meant < 0 ? said + meant : 1 - (1 - said) * (1 - meant);

/** Part of a fused row that says how well it answers. */
interface MeasuredRow {
  readonly said?: number | undefined;
  readonly meant?: number | undefined;
}
