import type { Closeness } from "../../ports/embedder.ts";
import type { Hit, WordHit } from "../../ports/search.ts";
import { evidenceFor } from "./confidence.ts";
import { backgroundOf, type CosineScale, UNKNOWN_COSINES } from "./cosines.ts";
import type { Ranking } from "./ranking.ts";

/** A row of the fused list, with the score of each search. */
export interface Fused {
  readonly id: number;
  /**
   * 0–1: the summed scores divided by the best possible for the question. Comparable between answers, because it is not
   * scaled to the found rows.
   */
  readonly relevance: number;
  readonly words?: WordHit | undefined;
  readonly vector?: Hit | undefined;
  /** Part of the relevance from each search; undefined if ranks were fused. */
  readonly shares?: { readonly words: number; readonly vector: number } | undefined;
  /**
   * Weight of the cosine in the sum: 1 at the typical distance of an answer from the background, 0 at the background.
   */
  readonly vectorNorm?: number | undefined;
  /** Confidence from words alone, 0–1: the share of the question's terms in the row, weighted by rarity. */
  readonly lexical?: number | undefined;
  /** Confidence from the cosine alone, up to 1, negative for doubt; comparable between questions and models. */
  readonly semantic?: number | undefined;
}

/** Similarity by terms of the best rows. */
export interface Reading {
  readonly near: ReadonlyMap<number, Closeness>;
  /** Share of the term reading in a row's similarity; the model's cosine has the rest. */
  readonly share: number;
  /** Scale of the reading model; undefined: the scale of the embedder. */
  readonly scale: CosineScale | undefined;
  /** Neighbours of a row, with the share of their similarity that the row takes. */
  readonly lenders?: ReadonlyMap<number, readonly { readonly id?: number | undefined; readonly share: number }[]>;
}

/** Rows that only the vector search found need at least this share of the best score. */
const GATE = 0.05;
/**
 * Compensates for scales: a row that contains the question once reaches less than half of the best word score, but a
 * near row reaches the full vector score.
 */
const WORDS_FACTOR = 4;
/** Similarity, in spreads of the model, of unrelated texts, and of a question and its answer. */
const UNRELATED = 0.3;
const ANSWER = 1;
/** Share of the comparison by terms in the similarity of a text; the cosine has the rest. */
const BY_TERM = 2 / 3;

/**
 * Share of its weight that the vector search keeps when words cover the whole question, so that rows that it alone
 * found are still found.
 */
const LEAST_SAY = 0.15;

/** Fuses the two lists, best first; empty if no row is certain enough. */
export function fuse(...legs: Parameters<typeof fuseAll>): Fused[] {
  const fused = fuseAll(...legs);
  return fused.some((row) => isSure(row, legs[2])) ? fused : [];
}

/** Whether a row is more certain than chance: a shared common word or a slight similarity is not enough. */
export const isSure = (row: Fused, { minCoverage }: Pick<Ranking, "minCoverage">): boolean =>
  evidenceFor(row) >= minCoverage;

/**
 * Fuses the two lists, best first, whether or not they answer. A search that found nothing is left out of the formula.
 * @param cosines calibration of the vectors' model
 * @param reading similarity by terms of the rows that were read; only these rows can be near
 */
export function fuseAll(
  words: readonly WordHit[] | undefined,
  vector: readonly Hit[] | undefined,
  ranking: Pick<Ranking, "fusion" | "vectorWeight" | "rrfK" | "minCosine" | "minCoverage">,
  cosines: CosineScale = UNKNOWN_COSINES,
  reading?: Reading,
): Fused[] {
  const { fusion, vectorWeight, rrfK, minCosine, minCoverage } = ranking;
  const near = reading
    ? nearByReading(reading, vector ?? [], minCosine, cosines)
    : nearByCosine(vector ?? [], minCosine ?? cosines.least, cosines);
  // If the words found nothing relevant, the vector search decides alone.
  const told = words && (near.length === 0 || isAbout(words, minCoverage)) ? words : [];
  const byRank = fusion === "rrf";
  const legs = byRank ? equalLegs(told, near) : legsOf(told, near, vectorWeight, cosines);
  // A list's first row gets the full score of its search.
  const ofRank = ({ rank }: { readonly rank: number }) => (rrfK + 1) / (rrfK + rank);
  const rows = new Map<number, FusedRow>();
  for (const hit of told) {
    const row = rowFor(rows, hit.id);
    row.ofWords = legs.words * (byRank ? ofRank(hit) : hit.ofBest);
    row.words = hit;
  }
  for (const each of near) {
    const row = rowFor(rows, each.id);
    row.ofVector = legs.vector * (byRank ? ofRank(each) : each.norm);
    row.near = each;
  }
  // A row without a known cosine gets the doubt of an unrelated row.
  const { sureFrom = 0 } = vector ? (reading?.scale ?? cosines) : {};
  return relevant([...rows.values()], { byRank, lexical: sureFrom > 0 ? saidBeside : saidAlone, unknown: -sureFrom });
}

/** Whether any row contains enough of the question: its most common word is not enough. */
const isAbout = (words: readonly WordHit[], minCoverage: number): boolean =>
  words.some(({ coverage }) => coverage >= minCoverage);

interface Near {
  readonly id: number;
  readonly rank: number;
  /** Undefined for a row that the vector search did not list. */
  readonly hit: Hit | undefined;
  /** Distance of its cosine from the background, in spreads of the model. */
  readonly above: number;
  readonly norm: number;
  readonly semantic: number;
}

function nearByCosine(vector: readonly Hit[], least: number, scale: CosineScale): Near[] {
  const background = backgroundOf(
    vector.map(({ score }) => score),
    least,
  );
  return vector
    .filter(({ score }) => score >= least)
    .map((hit) => {
      const above = spreads(hit.score, background, scale);
      return {
        id: hit.id,
        rank: hit.rank,
        hit,
        above,
        norm: normOf(above),
        semantic: meantBy(hit.score, above, scale),
      };
    });
}

function nearByReading(
  { near, share, scale: reader, lenders }: Reading,
  vector: readonly Hit[],
  minCosine: number | undefined,
  scale: CosineScale,
): Near[] {
  if (share === 1) return nearByTerm(near, vector, minCosine, reader ?? scale);
  const byModel = new Map(nearByCosine(vector, minCosine ?? scale.least, scale).map((row) => [row.id, row]));
  const byTerm = new Map(nearByTerm(near, [], undefined, reader ?? scale).map((row) => [row.id, row]));
  return [...near.keys()]
    .filter((id) => byModel.has(id) || (minCosine === undefined && byTerm.has(id)))
    .map((id) => {
      const [model, term] = [byModel.get(id), byTerm.get(id)];
      const lent = (lenders?.get(id) ?? []).map((lender) => ({
        share: lender.share,
        above: (lender.id === undefined ? undefined : byModel.get(lender.id))?.above ?? 0,
      }));
      const norm = (1 - share) * normOf(withNeighbours(model?.above ?? 0, lent)) + share * (term?.norm ?? 0);
      // Model and term reading err on different rows, and the model is overconfident, so each counts half. The reading
      // counts less if it knows few terms of the question, or not its language.
      const half = Math.min(1, reader?.certainty ?? 1) / 2;
      const semantic = (1 - half) * (model?.semantic ?? 0) + half * (term?.semantic ?? -(reader?.sureFrom ?? 0));
      return { id, hit: model?.hit, above: model?.above ?? 0, norm, semantic };
    })
    .sort((a, b) => b.norm - a.norm || a.id - b.id)
    .map((row, at) => ({ ...row, rank: at + 1 }));
}

/** These rows give no background, because they were selected as the nearest. */
function nearByTerm(
  closeness: ReadonlyMap<number, Closeness>,
  vector: readonly Hit[],
  minCosine: number | undefined,
  scale: CosineScale,
): Near[] {
  const hits = new Map(vector.map((hit) => [hit.id, hit]));
  return [...closeness]
    .map(([id, { cosine, byTerm }]) => ({ id, cosine, score: BY_TERM * byTerm + (1 - BY_TERM) * cosine }))
    .filter(({ score, cosine }) => score >= scale.least && (minCosine === undefined || cosine >= minCosine))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id, cosine, score }, at) => {
      const above = spreads(score, scale.least, scale);
      return {
        id,
        rank: at + 1,
        hit: hits.get(id),
        above,
        norm: normOf(above),
        semantic: meantBy(cosine, above, scale),
      };
    });
}

/** Distance of a row from the background, in spreads of the model. */
const spreads = (score: number, background: number, { spread }: CosineScale): number =>
  Math.max(0, score - background) / spread;

/**
 * Distance that a row would have if its vector were the sum of its own and of its neighbours', each times its share: the
 * product of a sum is the sum of the products. Divided by the length of such a sum of unrelated vectors.
 */
function withNeighbours(above: number, lent: readonly { readonly share: number; readonly above: number }[]): number {
  const sum = lent.reduce((all, each) => all + each.share * each.above, above);
  const square = lent.reduce((all, { share }) => all + share ** 2, 1);
  return sum / Math.sqrt(square);
}

/** Squared, so that a row barely above the background barely counts, even if it is the nearest. */
const normOf = (above: number): number => Math.min(1, above) ** 2;

function meantBy(cosine: number, above: number, { sureFrom, certainty = 1 }: CosineScale): number {
  if (sureFrom === undefined) return Math.min(1, Math.max(0, (above - UNRELATED) / (ANSWER - UNRELATED)));
  return Math.min(1, certainty * Math.max(0, cosine) - sureFrom);
}

/** Greatest score of each search; the sum is 1. */
interface Legs {
  readonly words: number;
  readonly vector: number;
}

/** The more of the question words cover, the more they decide; less so if the model is trusted. */
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

/** A row during fusion, with the score of each search. */
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

const saidAlone = ({ coverage }: WordHit): number => Math.min(1, Math.max(0, coverage));

/**
 * If cosines can lower the confidence, it also counts how much of the row the question's words are; 1 for a row that
 * contains the whole question once.
 */
const saidBeside = ({ coverage, ofBest }: WordHit): number => Math.min(1, 0.4 * coverage + 1.6 * ofBest);

interface Telling {
  readonly byRank: boolean;
  readonly lexical: (hit: WordHit) => number;
  /** Doubt about a row whose cosine is unknown. */
  readonly unknown: number;
}

function relevant(rows: readonly FusedRow[], { byRank, lexical, unknown }: Telling): Fused[] {
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
      lexical: words && lexical(words),
      semantic: near?.semantic ?? unknown,
    });
  }
  return fused.sort((a, b) => b.relevance - a.relevance || a.id - b.id);
}
