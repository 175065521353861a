/** Measures of a ranking over a set of questions; every figure is from 0 to 1. */
export interface Measures {
  readonly questions: number;
  /** Share of the questions with a right answer among the first 1, 5 and 10. */
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  /** Mean reciprocal rank of the first right answer; 0 beyond the tenth. */
  readonly mrr: number;
  readonly ndcg10: number;
  /** Share of the questions with traps where a trap ranked above the right answer; undefined without traps. */
  readonly trapped: number | undefined;
}

/** Rank of the first right answer, from 1; 0 without one. */
export interface Outcome {
  readonly place: number;
  /** Undefined when the question has no traps. */
  readonly isTrapped?: boolean | undefined;
}

export const DEPTH = 10;

export const reciprocal = ({ place }: Outcome): number => (place === 0 ? 0 : 1 / place);

/** With one right answer, nDCG equals the discount of its rank. */
const discounted = ({ place }: Outcome): number => (place === 0 ? 0 : 1 / Math.log2(place + 1));

export function measure(outcomes: readonly Outcome[]): Measures {
  const within = (k: number) => mean(outcomes.map(({ place }) => Number(place > 0 && place <= k)));
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
  numbers.length === 0 ? 0 : numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
