import { LEAST_CONFIDENCE } from "../memory/verdict.ts";

const WEEK_MS = 7 * 86_400_000;
const A_WEEK = 0.95;

export interface Faded {
  readonly confidence: number;
  /** The whole weeks that are counted end here; the next one counts from then. */
  readonly countedTo: Date;
}

/**
 * Confidence in a memory that is neither used nor verified: a twentieth less for each whole week, however often it is
 * computed.
 * @param since the last use, verification or earlier fading
 * @returns undefined within a week, and at the lower bound
 */
export function faded(confidence: number, since: Date, now: Date): Faded | undefined {
  const weeks = Math.floor((now.getTime() - since.getTime()) / WEEK_MS);
  if (weeks < 1 || confidence <= LEAST_CONFIDENCE) return undefined;
  return {
    confidence: Math.max(LEAST_CONFIDENCE, confidence * A_WEEK ** weeks),
    countedTo: new Date(since.getTime() + weeks * WEEK_MS),
  };
}
