import type { Hit } from "../../ports/search.ts";
import { backgroundOf, type CosineScale, UNKNOWN_COSINES } from "./cosines.ts";
import type { Ranking } from "./ranking.ts";

/** A row of the fused list, with what each leg said of it. */
export interface Fused {
  readonly id: number;
  /** 0–1; the best of the list is 1. */
  readonly relevance: number;
  readonly words?: Hit | undefined;
  readonly vector?: Hit | undefined;
  /** How much of its relevance each leg gave; undefined where ranks were added. */
  readonly shares?: { readonly words: number; readonly vector: number } | undefined;
  /** The weight of the cosine in the sum: 1 as far above the background as any, 0 in it. */
  readonly vectorNorm?: number | undefined;
  /** How far the cosine stands out of the background, in spreads of its model: a measure across questions. */
  readonly nearness?: number | undefined;
}

/** Least share of the best score that is still an answer. */
const GATE = 0.05;

/**
 * Distance in spreads by which the nearest must stand out of the background where no row covers enough of a question.
 */
const LEAST_NEARNESS = 0.3;
/** Of its share, what meaning keeps where words reach all of a question: what it alone found is still found. */
const LEAST_SAY = 0.15;

/**
 * The two lists as one, best first. A leg that did not run is undefined, and left out of the formula.
 * @param cosines what the vectors' model is known for
 */
export function fuse(
  words: readonly Hit[] | undefined,
  vector: readonly Hit[] | undefined,
  ranking: Pick<Ranking, "fusion" | "vectorWeight" | "rrfK" | "minCosine" | "minCoverage">,
  cosines: CosineScale = UNKNOWN_COSINES,
): Fused[] {
  const { fusion, vectorWeight, rrfK, minCosine, minCoverage } = ranking;
  const told = words && isAbout(words, minCoverage) ? words : words && [];
  const near = vector && nearTo(vector, minCosine, cosines);
  // Words that found nothing leave it to meaning; then somebody has to stand out.
  const isMeantByNone = words && told?.length === 0 && near && !near.some(({ nearness }) => nearness >= LEAST_NEARNESS);
  if (isMeantByNone) return [];
  const byRank = fusion === "rrf";
  const shares = sharesOf(told, near, vectorWeight, cosines);
  const rows = new Map<number, Row>();
  const wordNorms = normalised(told?.map(({ score }) => score) ?? []);
  told?.forEach((hit, at) => {
    const row = rowFor(rows, hit.id);
    row.ofWords = byRank ? 1 / (rrfK + hit.rank) : shares.words * (wordNorms[at] ?? 0);
    row.words = hit;
  });
  for (const each of near ?? []) {
    const row = rowFor(rows, each.hit.id);
    row.ofVector = byRank ? 1 / (rrfK + each.hit.rank) : shares.vector * each.norm;
    row.near = each;
  }
  return relevant([...rows.values()], byRank);
}

/** Does any row hold enough of the question: sharing its commonest word with it is no answer. */
const isAbout = (words: readonly Hit[], minCoverage: number): boolean =>
  words.some(({ coverage = 1 }) => coverage >= minCoverage);

interface Near {
  readonly hit: Hit;
  readonly norm: number;
  readonly nearness: number;
}

/** Squared, so that what is hardly nearer than the background hardly counts, though it be the nearest there is. */
function nearTo(vector: readonly Hit[], minCosine: number, { spread }: CosineScale): Near[] {
  const background = backgroundOf(
    vector.map(({ score }) => score),
    minCosine,
  );
  const range = Math.max(spread, ...vector.map(({ score }) => score - background));
  return vector
    .filter(({ score }) => score >= minCosine)
    .map((hit) => {
      const above = Math.max(0, hit.score - background);
      return { hit, norm: (above / range) ** 2, nearness: above / spread };
    });
}

/** The more of a question words reach, the more they decide; of a model that can be trusted, less so. */
function sharesOf(
  words: readonly Hit[] | undefined,
  near: readonly Near[] | undefined,
  vectorWeight: number,
  { trust }: CosineScale,
) {
  if (!near) return { words: 1, vector: 0 };
  if (!words || words.length === 0 || vectorWeight === 1) return { words: 0, vector: 1 };
  const reached = Math.max(0, ...words.map(({ coverage = 0 }) => coverage));
  return {
    words: (1 - vectorWeight) * (reached > 0 ? reached ** (trust / 2) : 1),
    vector: vectorWeight * Math.max(LEAST_SAY, (1 - reached) ** (1 - trust)),
  };
}

/** A row while its score is added up: what each leg gave, and for what. */
interface Row {
  readonly id: number;
  ofWords: number;
  ofVector: number;
  words: Hit | undefined;
  near: Near | undefined;
}

function rowFor(rows: Map<number, Row>, id: number): Row {
  const known = rows.get(id);
  if (known) return known;
  const row = { id, ofWords: 0, ofVector: 0, words: undefined, near: undefined };
  rows.set(id, row);
  return row;
}

/** Sums of ranks lie close together and are stretched; sums of shares are divided by the best. */
function relevant(rows: readonly Row[], byRank: boolean): Fused[] {
  const scores = rows.map(({ ofWords, ofVector }) => ofWords + ofVector);
  const best = Math.max(0, ...scores);
  const relevances = byRank ? normalised(scores) : scores.map((score) => score / best);
  const fused: Fused[] = [];
  rows.forEach(({ id, ofWords, ofVector, words, near }, at) => {
    const relevance = relevances[at] ?? 0;
    if (relevance < GATE) return;
    const shares = byRank ? undefined : { words: ofWords / best, vector: ofVector / best };
    fused.push({ id, relevance, words, vector: near?.hit, shares, vectorNorm: near?.norm, nearness: near?.nearness });
  });
  return fused.sort((a, b) => b.relevance - a.relevance || a.id - b.id);
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
