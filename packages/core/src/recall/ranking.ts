/** Everything about ranking that an operator may set. */
export interface Ranking {
  readonly fusion: "convex" | "rrf";
  /** Share of the vector leg in the convex fusion. */
  readonly vectorWeight: number;
  readonly rrfK: number;
  /** Cosine below which a vector hit is none. */
  readonly minCosine: number;
  readonly weights: {
    readonly relevance: number;
    readonly heat: number;
    readonly momentum: number;
    readonly importance: number;
  };
  /** The least factor that activation can have. */
  readonly activationFloor: number;
}

export const DEFAULT_RANKING: Ranking = {
  fusion: "convex",
  vectorWeight: 0.5,
  rrfK: 60,
  minCosine: 0.55,
  weights: { relevance: 0.85, heat: 0.05, momentum: 0.03, importance: 0.07 },
  activationFloor: 0.9,
};
