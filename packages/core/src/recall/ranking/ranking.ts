import { DEFAULT_SYNONYMS, type Synonyms } from "../../text/synonyms.ts";

/** Everything about ranking that an operator may set. */
export interface Ranking {
  readonly fusion: "convex" | "rrf";
  /** Share of the vector leg in the convex fusion. */
  readonly vectorWeight: number;
  readonly rrfK: number;
  /** Cosine below which a vector hit is none; undefined: as is known of the model. */
  readonly minCosine?: number | undefined;
  /**
   * Share of a question, weighted by rarity, that some row must hold: where none does, and none is near in meaning, the
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
  /** Which words stand for each other. */
  readonly synonyms: Synonyms;
}

export const DEFAULT_RANKING: Ranking = {
  fusion: "convex",
  vectorWeight: 0.5,
  rrfK: 60,
  minCoverage: 0.1,
  // Without heat the older of two statements of a fact comes first too often; with more of the rest, fresh talk does.
  weights: { relevance: 0.93, heat: 0.05, momentum: 0.005, importance: 0.015 },
  activationFloor: 0.97,
  synonyms: DEFAULT_SYNONYMS,
};

/** Can a cold exact answer fall below a hot row of half its relevance: a setting to warn of at start. */
export function mayOutrankExact({ weights, activationFloor }: Pick<Ranking, "weights" | "activationFloor">): boolean {
  const { relevance, heat, momentum, importance } = weights;
  return activationFloor * relevance < 0.5 * (relevance + heat + momentum + importance);
}
