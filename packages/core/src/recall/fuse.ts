import type { Hit } from "../ports/search.ts";
import type { Ranking } from "./ranking.ts";

/** A row of the fused list, with what each leg said of it. */
export interface Fused {
  readonly id: number;
  /** 0–1; the best of the list is 1. */
  readonly relevance: number;
  readonly words?: Hit;
  readonly vector?: Hit;
  /** The cosine's place between the least and the best of its list, 0–1. */
  readonly vectorNorm?: number;
}

/** What is left under this share of the best is no answer. */
const GATE = 0.05;

/** Of a question, the share that some row must hold. More answers with nothing, and to paraphrases with nothing, too. */
const LEAST_COVERAGE = 0.08;

/** The two lists as one, best first. A leg that did not run is undefined, and left out of the formula. */
export function fuse(
  words: readonly Hit[] | undefined,
  vector: readonly Hit[] | undefined,
  { fusion, vectorWeight, rrfK, minCosine }: Pick<Ranking, "fusion" | "vectorWeight" | "rrfK" | "minCosine">,
): Fused[] {
  const told = words && isAbout(words) ? words : words && [];
  const near = vector?.filter(({ score }) => score >= minCosine);
  const byRank = fusion === "rrf";
  const rows = new Map<number, Row>();
  const add = (leg: "words" | "vector", hits: readonly Hit[] | undefined, share: number) => {
    const norms = normalised(hits?.map(({ score }) => score) ?? []);
    hits?.forEach((hit, at) => {
      const row = rows.get(hit.id) ?? { score: 0 };
      const norm = norms[at] ?? 0;
      const score = row.score + (byRank ? 1 / (rrfK + hit.rank) : share * norm);
      rows.set(hit.id, { ...row, score, [leg]: hit, ...(leg === "vector" && { vectorNorm: norm }) });
    });
  };
  add("words", told, near === undefined ? 1 : 1 - vectorWeight);
  add("vector", near, words === undefined ? 1 : vectorWeight);
  return relevant([...rows], byRank);
}

/** Does any row hold enough of the question: sharing its commonest word with it is no answer. */
const isAbout = (words: readonly Hit[]): boolean => words.some(({ coverage = 1 }) => coverage >= LEAST_COVERAGE);

interface Row {
  readonly score: number;
  readonly words?: Hit;
  readonly vector?: Hit;
  readonly vectorNorm?: number;
}

/** Sums of ranks lie close together and are stretched; sums of shares are divided by the best. */
function relevant(rows: readonly (readonly [number, Row])[], byRank: boolean): Fused[] {
  const scores = rows.map(([, { score }]) => score);
  const best = Math.max(0, ...scores);
  const stretched = byRank ? normalised(scores) : scores.map((score) => score / best);
  return rows
    .map(([id, { score: _, ...hits }], at) => ({ id, relevance: stretched[at] ?? 0, ...hits }))
    .filter(({ relevance }) => relevance >= GATE)
    .sort((a, b) => b.relevance - a.relevance || a.id - b.id);
}

// The last row of a list matched like the others: it is not to fall under the gate for being the last.
const FLOOR = 0.06;
const SHORT_LIST = 5;
const SHORT_LIST_FLOOR = 0.3;

/** Each score's place between the least and the best; without a range each is the best. */
function normalised(scores: readonly number[]): number[] {
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  const floor = scores.length <= SHORT_LIST ? SHORT_LIST_FLOOR : FLOOR;
  return scores.map((score) => (range === 0 ? 1 : floor + (1 - floor) * ((score - low) / range)));
}
