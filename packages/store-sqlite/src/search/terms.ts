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

export interface Choice {
  readonly asked: readonly Asked[];
  /** Weight of all that the query asked for, with what nobody wrote. */
  readonly wholeWeight: number;
}

const MAX_UNITS = 32;
const KEPT_AT_LEAST = 3;
/** Terms in more than this share of a store are noise, once it holds enough rows to tell. */
const TOO_FREQUENT = 0.2;
const ENOUGH_ROWS = 1000;
/** Rows that one question ranks, where rarer terms are there: more tell it apart from no others, and take their time. */
const ENOUGH_RANKED = 150_000;

/** The rarest first; what nobody wrote and what nearly everybody wrote is left out, unless nothing would remain. */
export function chooseTerms(index: WordIndex, units: readonly Unit[]): Choice {
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
    };
  });
  const known = weighed.filter((unit) => unit.known.length > 0).sort((a, b) => a.rarest - b.rarest);
  const telling = known.flatMap((unit) => {
    const ways = unit.known.filter(({ count }) => count <= bound);
    return ways.length > 0 ? [ways] : [];
  });
  const chosen = telling.length > 0 ? affordable(telling) : known.slice(0, KEPT_AT_LEAST).map((unit) => unit.known);
  const unknown = weighed.filter((unit) => unit.known.length === 0);
  return {
    asked: chosen.map((ways) => ({ ways })),
    wholeWeight: wholeWeight(
      chosen.map((ways) => ({ weight: Math.max(...ways.map(({ weight }) => weight)) })),
      unknown,
    ),
  };
}

/** The rarest, as many as may be ranked; a few whatever they cost. */
function affordable<T extends readonly { readonly count: number }[]>(rarestFirst: readonly T[]): readonly T[] {
  let rows = 0;
  const most = rarestFirst.findIndex((ways, at) => {
    rows += ways.reduce((sum, { count }) => sum + count, 0);
    return at >= KEPT_AT_LEAST && rows > ENOUGH_RANKED;
  });
  return rarestFirst.slice(0, Math.min(MAX_UNITS, most < 0 ? MAX_UNITS : most));
}
