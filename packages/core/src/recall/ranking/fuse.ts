import type { Closeness } from "../../ports/embedder.ts";
import type { Hit, WordHit } from "../../ports/search.ts";
import { evidenceFor } from "./confidence.ts";
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
  /** How sure words alone are that this is an answer, 0–1: the share of the question that stands in it, weighted by rarity. */
  readonly said?: number | undefined;
  /** How sure the cosine alone is that this is an answer, up to 1, negative for doubt: a measure across questions and models. */
  readonly meant?: number | undefined;
}

/** The best rows, read beside the question term by term. */
export interface Reading {
  readonly near: ReadonlyMap<number, Closeness>;
  /** Share of the reading in a row's nearness; its cosine by the model has the rest. */
  readonly share: number;
  /** Scale of the reader; undefined: the model's. */
  readonly scale: CosineScale | undefined;
  /** Rows said beside a row, with the share of their nearness by the model that they lend it. */
  readonly lenders?: ReadonlyMap<number, readonly { readonly id?: number | undefined; readonly share: number }[]>;
}

/** Share of the best cosine below which a row found by vectors alone is no answer. */
const GATE = 0.05;
/** A row that says all of a question once has less than half of the best score, a near one all of the nearness. */
const WORDS_FACTOR = 4;
/** Nearness, in spreads of the model, of texts that have nothing to do with each other, and of a question's answer. */
const UNRELATED = 0.3;
const ANSWER = 1;
/** Share of the terms' comparison in the nearness of a text that was read; the cosine has the rest. */
const BY_TERM = 2 / 3;

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
  evidenceFor(row) >= minCoverage;

/**
 * The two lists as one, best first, answers or not. A leg that found nothing is left out of the formula.
 * @param cosines what the vectors' model is known for
 * @param reading of rows whose texts were read beside the question: these rows alone are near
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
  // Words that found nothing leave it to meaning.
  const told = words && (near.length === 0 || isAbout(words, minCoverage)) ? words : [];
  const byRank = fusion === "rrf";
  const legs = byRank ? equalLegs(told, near) : legsOf(told, near, vectorWeight, cosines);
  // The first of a list by rank has all that its leg can give.
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
  // A row that vectors do not know as near is in doubt, as one that they know as far.
  const { sureFrom = 0 } = vector ? (reading?.scale ?? cosines) : {};
  return relevant([...rows.values()], { byRank, said: sureFrom > 0 ? saidBeside : saidAlone, unknown: -sureFrom });
}

/** Whether any row holds enough of the question: sharing its commonest word with it is no answer. */
const isAbout = (words: readonly WordHit[], minCoverage: number): boolean =>
  words.some(({ coverage }) => coverage >= minCoverage);

interface Near {
  readonly id: number;
  readonly rank: number;
  /** Undefined for a row that vectors did not list. */
  readonly hit: Hit | undefined;
  readonly norm: number;
  readonly meant: number;
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
      return { id: hit.id, rank: hit.rank, hit, norm: normOf(above), meant: meantBy(hit.score, above, scale) };
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
      const lent = (lenders?.get(id) ?? []).map(
        (lender) => lender.share * ((lender.id === undefined ? undefined : byModel.get(lender.id))?.norm ?? 0),
      );
      const norm = (1 - share) * Math.max(model?.norm ?? 0, ...lent) + share * (term?.norm ?? 0);
      // Each is sure of other things, and the model of too much: half of each tells what answers from what does not, and less of a
      // reader that knows few terms of the question, or does not know its language.
      const half = Math.min(1, reader?.certainty ?? 1) / 2;
      const meant = (1 - half) * (model?.meant ?? 0) + half * (term?.meant ?? -(reader?.sureFrom ?? 0));
      return { id, hit: model?.hit, norm, meant };
    })
    .sort((a, b) => b.norm - a.norm || a.id - b.id)
    .map((row, at) => ({ ...row, rank: at + 1 }));
}

/** No background is taken from these rows: they were read because they are the nearest. */
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
      return { id, rank: at + 1, hit: hits.get(id), norm: normOf(above), meant: meantBy(cosine, above, scale) };
    });
}

/** How many spreads of the model a row lies above the background. */
const spreads = (score: number, background: number, { spread }: CosineScale): number =>
  Math.max(0, score - background) / spread;

/** Squared, so that what is hardly nearer than the background hardly counts, though it be the nearest there is. */
const normOf = (above: number): number => Math.min(1, above) ** 2;

function meantBy(cosine: number, above: number, { sureFrom, certainty = 1 }: CosineScale): number {
  if (sureFrom === undefined) return Math.min(1, Math.max(0, (above - UNRELATED) / (ANSWER - UNRELATED)));
  return Math.min(1, certainty * Math.max(0, cosine) - sureFrom);
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

const saidAlone = ({ coverage }: WordHit): number => Math.min(1, Math.max(0, coverage));

/**
 * Beside cosines that can speak against a row, it counts as well how much of the row the words are; 1 for a row that says
 * all of the question once.
 */
const saidBeside = ({ coverage, ofBest }: WordHit): number => Math.min(1, 0.4 * coverage + 1.6 * ofBest);

interface Telling {
  readonly byRank: boolean;
  readonly said: (hit: WordHit) => number;
  /** Doubt about a row of which no cosine is known. */
  readonly unknown: number;
}

function relevant(rows: readonly FusedRow[], { byRank, said, unknown }: Telling): Fused[] {
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
      said: words && said(words),
      meant: near?.meant ?? unknown,
    });
  }
  return fused.sort((a, b) => b.relevance - a.relevance || a.id - b.id);
}
