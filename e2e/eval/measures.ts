/** Measures of a ranking over a set of questions; every figure is from 0 to 1. */
export interface Measures {
  readonly questions: number;
  /**
   * Share of the questions with a right answer among the first 1, 5 and 10. For questions that require all answers, the
   * mean share of the answers found.
   */
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  /** Mean reciprocal rank of the first right answer; 0 beyond the tenth. */
  readonly mrr: number;
  /** Mean of the normalised discounted cumulative gain of the first ten, each answer counting 1 (Järvelin and Kekäläinen 2002). */
  readonly ndcg10: number;
  /** Share of the questions with traps where a trap ranked above the right answer; undefined without traps. */
  readonly trapped: number | undefined;
}

/** Rank of the first right answer, from 1; 0 without one. */
export interface Outcome {
  readonly place: number;
  /** Ranks of all right answers, 0 for a missing one; undefined where one answer is enough. */
  readonly places?: readonly number[] | undefined;
  /** Undefined when the question has no traps. */
  readonly isTrapped?: boolean | undefined;
}

export const DEPTH = 10;

export const reciprocal = ({ place }: Outcome): number => (place === 0 ? 0 : 1 / place);

/** Discounted gain of an answer at this rank. */
const gainAt = (place: number): number => (place === 0 ? 0 : 1 / Math.log2(place + 1));
const total = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

/** Normalises the gain by the highest possible gain among the first ten. */
function discounted({ place, places = [place] }: Outcome): number {
  const ideal = places.slice(0, DEPTH).map((_, at) => gainAt(at + 1));
  return total(places.map(gainAt)) / total(ideal);
}

/** Share of the required answers among the first results. */
const foundWithin = ({ place, places = [place] }: Outcome, most: number): number =>
  places.filter((each) => each > 0 && each <= most).length / places.length;

export function measure(outcomes: readonly Outcome[]): Measures {
  const within = (most: number) => mean(outcomes.map((outcome) => foundWithin(outcome, most)));
  const withTraps = outcomes.flatMap(({ isTrapped }) => (isTrapped === undefined ? [] : [Number(isTrapped)]));
  return {
    questions: outcomes.length,
    recall1: within(1),
    recall5: within(5),
    recall10: within(DEPTH),
    mrr: mean(outcomes.map(reciprocal)),
    ndcg10: mean(outcomes.map(discounted)),
    trapped: withTraps.length === 0 ? undefined : mean(withTraps),
  };
}

export const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : total(numbers) / numbers.length;
