/**
 * Confidence that a row answers the question, 0–1, independent of other rows: the share of the question that stands in
 * it, weighted by rarity, and its nearness in meaning. Either is enough, both raise it further, and distance in meaning
 * lowers it.
 */
export const confidence = (row: MeasuredRow): number => Math.max(0, evidence(row));

/** Words for how near a row is. */
export const MATCHES = ["strong", "fair", "weak"] as const;
export type Match = (typeof MATCHES)[number];

const STRONG = 0.6;
const FAIR = 0.3;

/** How near a row is to the question, in a word. */
export function matchOf(row: MeasuredRow): Match {
  const sure = confidence(row);
  return sure >= STRONG ? "strong" : sure >= FAIR ? "fair" : "weak";
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
