import {
  type Clock,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type Engine,
  type Executor,
  localExecutor,
  noEmbedder,
  type Ranking,
  TABLE_IDENTITY,
  TOOLS,
} from "@chest/core";
import { openBuiltinEmbedder } from "@chest/models";
import { PLAIN_LEGS, type PlainLeg } from "./plain-fts5.ts";
import type { Vectors } from "./vectors.ts";

const TABLE = openBuiltinEmbedder();

/** The product's ways of searching; `rarest` is by words, of which a small share of the store is ranked at first. */
const OWN_LEGS = ["words", "rarest", "vectors", "hybrid"] as const;
type OwnLeg = (typeof OWN_LEGS)[number];

/** The ways of searching that are measured: beside the product's own, plain full text. */
export const LEGS = [...PLAIN_LEGS, ...OWN_LEGS] as const;
export type Leg = (typeof LEGS)[number];

export const isPlain = (leg: Leg): leg is PlainLeg => (PLAIN_LEGS as readonly Leg[]).includes(leg);
export const isByWords = (leg: Leg): boolean => leg === "words" || leg === "rarest" || isPlain(leg);

/** The product's tools over an engine, searching with one leg or both. */
export function executorOver(
  engine: Engine,
  clock: Clock,
  vectors: Vectors,
  leg: OwnLeg,
  minCoverage = DEFAULT_RANKING.minCoverage,
): Executor {
  const embedder = isByWords(leg) ? noEmbedder : vectors.embedder;
  // A machine that runs a model has the table, too.
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
  // All the weight on the vectors: what words alone found is no answer then.
  vectors: { ...DEFAULT_RANKING, fusion: "convex", vectorWeight: 1 },
  hybrid: DEFAULT_RANKING,
};
