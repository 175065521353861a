import { DEFAULT_SYNONYMS, type Synonyms } from "../../text/synonyms.ts";

/** Ranking settings of an operator. */
export interface Ranking {
  readonly fusion: "convex" | "rrf";
  /** Share of the vector search in the fusion. */
  readonly vectorWeight: number;
  readonly rrfK: number;
  /** Least cosine of a vector match; undefined: the known value of the model. */
  readonly minCosine?: number | undefined;
  /**
   * Share of a question, weighted by rarity, that some row must contain: if none does and none is near in meaning, the
   * answer is empty.
   */
  readonly minCoverage: number;
  readonly weights: {
    readonly relevance: number;
    readonly heat: number;
    readonly momentum: number;
    readonly importance: number;
  };
  /** The least factor that activation can have. */
  readonly activationFloor: number;
  /** Synonyms for queries. */
  readonly synonyms: Synonyms;
}

export const DEFAULT_RANKING: Ranking = {
  fusion: "convex",
  vectorWeight: 0.5,
  rrfK: 60,
  minCoverage: 0.1,
  // With less heat, the older of two statements of a fact ranks first too often; with more of the others, recent talk
  // does.
  weights: { relevance: 0.93, heat: 0.05, momentum: 0.005, importance: 0.015 },
  activationFloor: 0.97,
  synonyms: DEFAULT_SYNONYMS,
};

/** Whether a cold exact answer may rank below a hot row of half its relevance, which deserves a warning at start. */
export function mayOutrankExact({ weights, activationFloor }: Pick<Ranking, "weights" | "activationFloor">): boolean {
  const { relevance, heat, momentum, importance } = weights;
  return activationFloor * relevance < 0.5 * (relevance + heat + momentum + importance);
}
