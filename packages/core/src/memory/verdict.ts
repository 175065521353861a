/** A reader's judgements of a memory; `withdrawn` cancels an earlier `useful`. */
export const VERDICTS = ["useful", "wrong", "withdrawn"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const LEAST_CONFIDENCE = 0.1;

/** Confidence gained by `useful`, its limit, and the factor for `wrong`. */
const [USEFUL_BY, MOST_BY_USE, LEFT_OF_WRONG] = [0.05, 0.95, 0.6] as const;

/** Confidence after a verdict; an explicit value above the limit stays. */
export function judgedConfidence(confidence: number, verdict: Verdict): number {
  if (verdict === "withdrawn") return confidence;
  if (verdict === "useful") return Math.max(confidence, Math.min(MOST_BY_USE, rounded(confidence + USEFUL_BY)));
  return Math.max(LEAST_CONFIDENCE, rounded(confidence * LEFT_OF_WRONG));
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
