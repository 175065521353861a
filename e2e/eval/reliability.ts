import type { AnsweredQuestion } from "./ask.ts";

/** Confidence of an answer, and whether a right memory was among the first ten. */
export interface Sureness {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Answers whose confidence lies in one tenth of the range. */
export interface Bin {
  /** Lower bound of the tenth. */
  readonly from: number;
  readonly answers: number;
  /** Mean of the stated confidences. */
  readonly stated: number;
  /** Share of the answers that contain a right memory. */
  readonly seen: number;
}

const BINS = 10;

/** Empty answers state no confidence and are left out. */
export const surenessOf = (asked: readonly AnsweredQuestion[]): Sureness[] =>
  asked.flatMap(({ confidence, place }) => (confidence === undefined ? [] : [{ confidence, isRight: place > 0 }]));

/**
 * Groups answers into ten bins of equal width. Confidence is well calibrated when it equals the share of right answers
 * in every bin.
 */
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
 * Expected calibration error (Naeini, Cooper and Hauskrecht, 2015): mean difference between stated confidence and share
 * of right answers, weighted by bin size; from 0 to 1.
 */
export function calibrationError(bins: readonly Bin[]): number {
  const total = bins.reduce((sum, { answers }) => sum + answers, 0);
  return bins.reduce((sum, { answers, stated, seen }) => sum + Math.abs(stated - seen) * answers, 0) / total;
}
