import type { Hit, WordHit } from "../../ports/search.ts";
import { confidence } from "./confidence.ts";
import { backgroundOf, type CosineScale, UNKNOWN_COSINES } from "./cosines.ts";
import type { Ranking } from "./ranking.ts";

/** A row of the fused list, with what each leg said of it. */
export interface Fused {
  readonly id: number;
  /**
   * 0–1: what the legs gave, divided by the best that they could give this question. It means the same in every answer:
   * nothing is stretched over the range of what was found.
   */
  readonly relevance: number;
  readonly words?: WordHit | undefined;
  readonly vector?: Hit | undefined;
  /** How much of its relevance each leg gave; undefined where ranks were added. */
  readonly shares?: { readonly words: number; readonly vector: number } | undefined;
  /** The weight of the cosine in the sum: 1 as far above the background as an answer lies, 0 in it. */
  readonly vectorNorm?: number | undefined;
  /** How sure the cosine alone is that this is an answer, up to 1, negative for doubt: a measure across questions and models. */
  readonly meant?: number | undefined;
}

/** Share of the best cosine below which a row found by vectors alone is no answer. */
const GATE = 0.05;
/** A row that says all of a question once has less than half of the best score, a near one all of the nearness. */
const WORDS_FACTOR = 4;
/** Nearness, in spreads of the model, of texts that have nothing to do with each other, and of a question's answer. */
const UNRELATED = 0.3;
const ANSWER = 1;
/** Most that a low cosine takes from what words say: they are often right where it is wrong. */
const DOUBT = 0.08;

/**
 * Share of its weight that meaning keeps where words reach all of a question: rows that it alone found are still found.
 */
const LEAST_SAY = 0.15;

/** The two lists as one, best first; empty where no row is sure enough to answer. */
export function fuse(...legs: Parameters<typeof fuseAll>): Fused[] {
  const fused = fuseAll(...legs);
  return fused.some((row) => isSure(row, legs[2])) ? fused : [];
}

/** Whether a row is surer than chance: sharing a question's commonest word is no answer, nor is talking a little alike. */
export const isSure = (row: Fused, { minCoverage }: Pick<Ranking, "minCoverage">): boolean =>
  confidence(row) >= minCoverage;

/**
 * The two lists as one, best first, answers or not. A leg that found nothing is left out of the formula.
 * @param cosines what the vectors' model is known for
 */
export function fuseAll(
  words: readonly WordHit[] | undefined,
  vector: readonly Hit[] | undefined,
  ranking: Pick<Ranking, "fusion" | "vectorWeight" | "rrfK" | "minCosine" | "minCoverage">,
  cosines: CosineScale = UNKNOWN_COSINES,
): Fused[] {
  const { fusion, vectorWeight, rrfK, minCosine, minCoverage } = ranking;
  const near = vector ? nearTo(vector, minCosine ?? cosines.least, cosines) : [];
  // Words that found nothing leave it to meaning.
  const told = words && (near.length === 0 || isAbout(words, minCoverage)) ? words : [];
  const byRank = fusion === "rrf";
  const legs = byRank ? equalLegs(told, near) : legsOf(told, near, vectorWeight, cosines);
  // The first of a list by rank has all that its leg can give.
  const ofRank = ({ rank }: Hit) => (rrfK + 1) / (rrfK + rank);
  const rows = new Map<number, FusedRow>();
  for (const hit of told) {
    const row = rowFor(rows, hit.id);
    row.ofWords = legs.words * (byRank ? ofRank(hit) : hit.ofBest);
    row.words = hit;
  }
  for (const each of near) {
    const row = rowFor(rows, each.hit.id);
    row.ofVector = legs.vector * (byRank ? ofRank(each.hit) : each.norm);
    row.near = each;
  }
  // A row that vectors do not know as near is in doubt, as one that they know as far.
  return relevant([...rows.values()], { byRank, unknown: vector && cosines.sureFrom !== undefined ? -DOUBT : 0 });
}

/** Whether any row holds enough of the question: sharing its commonest word with it is no answer. */
const isAbout = (words: readonly WordHit[], minCoverage: number): boolean =>
  words.some(({ coverage }) => coverage >= minCoverage);

interface Near {
  readonly hit: Hit;
  readonly norm: number;
  readonly meant: number;
}

/** Squared, so that what is hardly nearer than the background hardly counts, though it be the nearest there is. */
function nearTo(vector: readonly Hit[], minCosine: number, { spread, sureFrom, certainty = 1 }: CosineScale): Near[] {
  const background = backgroundOf(
    vector.map(({ score }) => score),
    minCosine,
  );
  return vector
    .filter(({ score }) => score >= minCosine)
    .map((hit) => {
      const nearness = Math.max(0, hit.score - background) / spread;
      const meant =
        sureFrom === undefined
          ? Math.max(0, (nearness - UNRELATED) / (ANSWER - UNRELATED))
          : Math.max(-DOUBT, certainty * hit.score - sureFrom);
      return { hit, norm: Math.min(1, nearness) ** 2, meant: Math.min(1, meant) };
    });
}

/** Highest share that each leg can give; together 1. */
interface Legs {
  readonly words: number;
  readonly vector: number;
}

/** The more of a question words reach, the more they decide; of a model that can be trusted, less so. */
function legsOf(
  words: readonly WordHit[],
  near: readonly Near[],
  vectorWeight: number,
  { trust, weight = 1, wordsExponent = trust / 2 }: CosineScale,
): Legs {
  if (near.length === 0) return { words: 1, vector: 0 };
  if (words.length === 0 || vectorWeight === 1) return { words: 0, vector: 1 };
  const reached = Math.max(0, ...words.map(({ coverage }) => coverage));
  const ofWords = WORDS_FACTOR * (1 - vectorWeight) * reached ** wordsExponent;
  const ofVector = weight * vectorWeight * Math.max(LEAST_SAY, (1 - reached) ** (1 - trust));
  return { words: ofWords / (ofWords + ofVector), vector: ofVector / (ofWords + ofVector) };
}

function equalLegs(words: readonly WordHit[], near: readonly Near[]): Legs {
  const legs = Number(words.length > 0) + Number(near.length > 0);
  return { words: Number(words.length > 0) / legs, vector: Number(near.length > 0) / legs };
}

/** A row while its score is added up: what each leg gave, and for what. */
interface FusedRow {
  readonly id: number;
  ofWords: number;
  ofVector: number;
  words: WordHit | undefined;
  near: Near | undefined;
}

function rowFor(rows: Map<number, FusedRow>, id: number): FusedRow {
  const known = rows.get(id);
  if (known) return known;
  const row = { id, ofWords: 0, ofVector: 0, words: undefined, near: undefined };
  rows.set(id, row);
  return row;
}

function relevant(
  rows: readonly FusedRow[],
  { byRank, unknown }: { readonly byRank: boolean; readonly unknown: number },
): Fused[] {
  const gate = GATE * Math.max(0, ...rows.map(({ ofWords, ofVector }) => ofWords + ofVector));
  const fused: Fused[] = [];
  for (const { id, ofWords, ofVector, words, near } of rows) {
    const relevance = ofWords + ofVector;
    if (ofWords === 0 && relevance < gate) continue;
    const shares = byRank ? undefined : { words: ofWords, vector: ofVector };
    fused.push({
      id,
      relevance,
      words,
      vector: near?.hit,
      shares,
      vectorNorm: near?.norm,
      meant: near?.meant ?? unknown,
    });
  }
  return fused.sort((a, b) => b.relevance - a.relevance || a.id - b.id);
}
