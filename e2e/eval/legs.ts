import {
  type Clock,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type Engine,
  type Executor,
  localExecutor,
  noEmbedder,
  type Ranking,
  TOOLS,
} from "@chest/core";
import type { Vectors } from "./vectors.ts";

/** The ways of searching that are measured; `rarest` is by words, of which a small share of the store is ranked at first. */
export const LEGS = ["words", "rarest", "vectors", "hybrid"] as const;
export type Leg = (typeof LEGS)[number];

export const isByWords = (leg: Leg): boolean => leg === "words" || leg === "rarest";

/** The product's tools over an engine, searching with one leg or both. */
export function executorOver(
  engine: Engine,
  clock: Clock,
  vectors: Vectors,
  leg: Leg,
  minCoverage = DEFAULT_RANKING.minCoverage,
): Executor {
  const embedder = isByWords(leg) ? noEmbedder : vectors.embedder;
  return localExecutor(TOOLS, engine, {
    clock,
    embedders: () => embedder,
    limits: DEFAULT_LIMITS,
    ranking: { ...RANKINGS[leg], minCoverage },
  });
}

const RANKINGS: Readonly<Record<Leg, Ranking>> = {
  words: DEFAULT_RANKING,
  rarest: DEFAULT_RANKING,
  // All the weight on the vectors: what words alone found is no answer then.
  vectors: { ...DEFAULT_RANKING, fusion: "convex", vectorWeight: 1 },
  hybrid: DEFAULT_RANKING,
};
