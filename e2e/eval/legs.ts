import { TABLE_IDENTITY } from "@chest/core/embedding";
import type { Executor } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import { type Clock, type Engine, noEmbedder } from "@chest/core/ports";
import { DEFAULT_RANKING, type Ranking } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { openBuiltinEmbedder } from "@chest/models";
import { PLAIN_LEGS, type PlainLeg } from "./plain-fts5.ts";
import type { Vectors } from "./vectors.ts";

const TABLE = openBuiltinEmbedder();

/** Search legs of the product; `rarest` is word search that first ranks only a small share of the store. */
const OWN_LEGS = ["words", "rarest", "vectors", "hybrid"] as const;
type OwnLeg = (typeof OWN_LEGS)[number];

/** All legs that are measured: the product's own, and plain full-text search. */
export const LEGS = [...PLAIN_LEGS, ...OWN_LEGS] as const;
export type Leg = (typeof LEGS)[number];

export const isPlain = (leg: Leg): leg is PlainLeg => (PLAIN_LEGS as readonly Leg[]).includes(leg);
export const isByWords = (leg: Leg): boolean => leg === "words" || leg === "rarest" || isPlain(leg);

/** Builds the product's tools over an engine, searching with one leg or both. */
export function executorOver(
  engine: Engine,
  clock: Clock,
  vectors: Vectors,
  leg: OwnLeg,
  minCoverage = DEFAULT_RANKING.minCoverage,
): Executor {
  const embedder = isByWords(leg) ? noEmbedder : vectors.embedder;
  // A machine that runs a model also has the built-in table.
  const table = isByWords(leg) ? noEmbedder : TABLE;
  return localExecutor(TOOLS, engine, {
    clock,
    embedders: ({ model }) => (model === TABLE_IDENTITY.model ? table : embedder),
    limits: DEFAULT_LIMITS,
    ranking: { ...RANKINGS[leg], minCoverage },
  });
}

const RANKINGS: Readonly<Record<OwnLeg, Ranking>> = {
  words: DEFAULT_RANKING,
  rarest: DEFAULT_RANKING,
  // All weight is on the vectors, so a result found by words only is no answer.
  vectors: { ...DEFAULT_RANKING, fusion: "convex", vectorWeight: 1 },
  hybrid: DEFAULT_RANKING,
};
