import {
  type Clock,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type Embedder,
  type Engine,
  type Executor,
  localExecutor,
  noEmbedder,
  type Ranking,
  TOOLS,
} from "@chest/core";
import { hashedEmbedder } from "./hashed-embedder.ts";

/** The ways of searching that are measured. */
export const LEGS = ["words", "vectors", "hybrid"] as const;
export type Leg = (typeof LEGS)[number];

const PARTS_OF: Readonly<Record<Leg, { embedder: Embedder; ranking: Ranking }>> = {
  words: { embedder: noEmbedder, ranking: DEFAULT_RANKING },
  // All the weight on the vectors: what words alone found is no answer then.
  vectors: { embedder: hashedEmbedder, ranking: { ...DEFAULT_RANKING, fusion: "convex", vectorWeight: 1 } },
  hybrid: { embedder: hashedEmbedder, ranking: DEFAULT_RANKING },
};

/** The product's tools over an engine, searching with one leg or both. */
export function executorOver(engine: Engine, clock: Clock, leg: Leg = "words"): Executor {
  const { embedder, ranking } = PARTS_OF[leg];
  return localExecutor(TOOLS, engine, { clock, embedders: () => embedder, limits: DEFAULT_LIMITS, ranking });
}
