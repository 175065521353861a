import { rarity, type TermAsked, type Unit, wholeWeight } from "@chest/core";
import type { WordIndex } from "./word-index.ts";

/** Terms that together say one thing: a row says it when it holds all of them. */
export interface Way {
  readonly terms: readonly TermAsked[];
  /** What saying it so counts: the rarer, the more it tells. */
  readonly weight: number;
}

/** A thing worth asking for; rows count the best way they say it. */
export interface Asked {
  readonly ways: readonly Way[];
}

/** Grams repeat what words say, across their borders too. */
export const isOfWords = ({ ways }: Asked): boolean => ways.some(({ terms }) => terms.some(({ isGram }) => !isGram));

export interface Choice {
  readonly asked: readonly Asked[];
  /** Too frequent to look for rows with, but counted in those that the others found. */
  readonly beside: readonly Asked[];
  /** Weight of all that the query asked for, with what nobody wrote. */
  readonly wholeWeight: number;
  /** Is there nothing in it that nobody wrote. */
  readonly isAllKnown: boolean;
  /** So many rows found are enough: with fewer, the next choice is asked for, where there is one. */
  readonly enough: number;
}

const MAX_UNITS = 32;
const KEPT_AT_LEAST = 3;
/** Terms in more than this share of a store are noise, once it holds enough rows to tell. */
const TOO_FREQUENT = 0.2;
const ENOUGH_ROWS = 1000;
/** Rows that one question ranks, where rarer terms are there: more tell it apart from no others, and take their time. */
export const ENOUGH_RANKED = 150_000;
/** What an answer shows at the first glance: rarer terms that found so many leave nothing to look for. */
const ENOUGH_FOUND = 10;

/**
 * The rarest first, as many as may be ranked; then all that tell anything; then what nearly everybody wrote as well.
 * Each choice is for when the one before it found too little: in the spaces and with the filter of one question, which
 * the counts of a whole store know nothing of.
 * @param most rows that the first choice ranks, where more than a few terms are there
 */
export function* choicesOf(index: WordIndex, units: readonly Unit[], most = ENOUGH_RANKED): Generator<Choice> {
  // Roughly how many there are: ids are given once, and only a purge takes a row away.
  const rows = index.rows.upTo;
  const bound = rows < ENOUGH_ROWS ? rows : Math.floor(TOO_FREQUENT * rows);
  const idf = (count: number) => rarity(count, rows);
  const weighed = units.map((unit) => {
    const ways = unit.alternatives.map((way) => {
      const count = Math.min(...way.terms.map(({ text, isGram }) => index.count(text, isGram, bound)));
      return { terms: way.terms, count, weight: unit.weight * way.weight * idf(count) };
    });
    const known = ways.filter(({ count }) => count > 0);
    // Nobody wrote it in any way: it would have told as much as what stands nowhere.
    return {
      known,
      rarest: Math.min(...known.map(({ count }) => count)),
      weight: unit.weight * idf(0),
      isSought: unit.isSought,
      isWord: unit.alternatives.some(({ terms }) => terms.some(({ isGram }) => !isGram)),
    };
  });
  const known = weighed.filter((unit) => unit.known.length > 0).sort((a, b) => a.rarest - b.rarest);
  const unknown = weighed.filter((unit) => unit.known.length === 0);
  const choice = (chosen: readonly Ways[], enough: number, beside: readonly Ways[] = []): Choice => ({
    asked: chosen.map((ways) => ({ ways })),
    beside: beside.map((ways) => ({ ways })),
    wholeWeight: wholeWeight(
      [...chosen, ...beside].map((ways) => ({ weight: Math.max(...ways.map(({ weight }) => weight)) })),
      unknown,
    ),
    isAllKnown: !unknown.some(({ isWord }) => isWord),
    enough,
  });
  const telling = known
    .map((unit) => unit.known.filter(({ count }) => count <= bound))
    .filter(({ length }) => length > 0);
  const all = telling.slice(0, MAX_UNITS);
  const first = affordable(telling, most);
  if (first.length < all.length) yield choice(first, ENOUGH_FOUND, all.slice(first.length));
  if (all.length > 0) yield choice(all, 1);
  const anyway = [...known.slice(0, all.length), ...known.slice(telling.length, telling.length + KEPT_AT_LEAST)];
  if (anyway.some((unit) => unit.known.some(({ count }) => count > bound))) {
    yield choice(
      anyway.map((unit) => unit.known),
      0,
    );
  }
}

type Ways = readonly (Way & { readonly count: number })[];

/** The rarest, as many as may be ranked; a few whatever they cost. */
function affordable(rarestFirst: readonly Ways[], ranked: number): readonly Ways[] {
  let rows = 0;
  const most = rarestFirst.findIndex((ways, at) => {
    rows += ways.reduce((sum, { count }) => sum + count, 0);
    return at >= KEPT_AT_LEAST && rows > ranked;
  });
  return rarestFirst.slice(0, Math.min(MAX_UNITS, most < 0 ? MAX_UNITS : most));
}
