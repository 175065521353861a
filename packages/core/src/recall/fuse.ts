import type { Hit } from "../ports/search.ts";
import type { Ranking } from "./ranking.ts";

/** A row of the fused list, with what each leg said of it. */
export interface Fused {
  readonly id: number;
  /** 0–1; the best of the list is 1. */
  readonly relevance: number;
  readonly words?: Hit;
  readonly vector?: Hit;
}

/** What is left under this share of the best is no answer. */
const GATE = 0.05;

/** The two lists as one, best first. A leg that did not run is undefined, and left out of the formula. */
export function fuse(
  words: readonly Hit[] | undefined,
  vector: readonly Hit[] | undefined,
  ranking: Pick<Ranking, "fusion" | "vectorWeight" | "rrfK" | "minCosine">,
): Fused[] {
  const near = vector?.filter(({ score }) => score >= ranking.minCosine);
  const byRank = ranking.fusion === "rrf";
  const share = byRank ? 1 : ranking.vectorWeight;
  const legs = {
    words: weigh(words, near === undefined ? 1 : byRank ? 1 : 1 - share, byRank ? ranking.rrfK : undefined),
    vector: weigh(near, words === undefined ? 1 : share, byRank ? ranking.rrfK : undefined),
  };
  const rows = new Map<number, { score: number; words?: Hit; vector?: Hit }>();
  for (const leg of ["words", "vector"] as const) {
    for (const { hit, weight } of legs[leg]) {
      const row = rows.get(hit.id) ?? { score: 0 };
      rows.set(hit.id, { ...row, score: row.score + weight, [leg]: hit });
    }
  }
  const best = Math.max(0, ...[...rows.values()].map(({ score }) => score));
  if (best === 0) return [];
  return [...rows]
    .map(([id, { score, ...hits }]) => ({ id, relevance: score / best, ...hits }))
    .filter(({ relevance }) => relevance >= GATE)
    .sort((a, b) => b.relevance - a.relevance || a.id - b.id);
}

/** Lists this short are not stretched to zero, so that their last row still counts. */
const SHORT_LIST = 5;
const SHORT_LIST_FLOOR = 0.3;

/** Each hit with its share: min-max normalised, or by reciprocal rank when `k` is given. */
function weigh(hits: readonly Hit[] | undefined, share: number, k: number | undefined) {
  if (!hits || hits.length === 0) return [];
  if (k !== undefined) return hits.map((hit) => ({ hit, weight: share / (k + hit.rank) }));
  const scores = hits.map(({ score }) => score);
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  const floor = hits.length <= SHORT_LIST ? SHORT_LIST_FLOOR : 0;
  return hits.map((hit) => {
    const normal = range === 0 ? 1 : floor + (1 - floor) * ((hit.score - low) / range);
    return { hit, weight: share * normal };
  });
}
