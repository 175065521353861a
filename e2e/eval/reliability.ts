import type { Asked } from "./ask.ts";

/** An answer's stated confidence, and whether a right memory was among the first ten. */
export interface Sureness {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Answers whose confidence lies in one tenth. */
export interface Bin {
  /** Lowest confidence of the tenth. */
  readonly from: number;
  readonly answers: number;
  /** Mean of what they state. */
  readonly stated: number;
  /** Share of them that hold a right memory. */
  readonly seen: number;
}

const BINS = 10;

/** Empty answers state nothing, and are left out. */
export const surenessOf = (asked: readonly Asked[]): Sureness[] =>
  asked.flatMap(({ confidence, place }) => (confidence === undefined ? [] : [{ confidence, isRight: place > 0 }]));

/** Reliability by ten bins of equal width: in an honest measure, what is stated is what is seen. */
export function binsOf(all: readonly Sureness[]): Bin[] {
  const binOf = ({ confidence }: Sureness) => Math.min(BINS - 1, Math.floor(confidence * BINS));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [...Map.groupBy(all, binOf)]
    .map(([bin, some]) => ({
      from: bin / BINS,
      answers: some.length,
      stated: mean(some.map(({ confidence }) => confidence)),
      seen: mean(some.map(({ isRight }) => Number(isRight))),
    }))
    .sort((a, b) => a.from - b.from);
}

/**
 * Expected calibration error (Naeini, Cooper and Hauskrecht, 2015): how far stated and seen lie apart, by the size of
 * the bins; 0 to 1.
 */
export function calibrationError(bins: readonly Bin[]): number {
  const total = bins.reduce((sum, { answers }) => sum + answers, 0);
  return bins.reduce((sum, { answers, stated, seen }) => sum + Math.abs(stated - seen) * answers, 0) / total;
}
