import { isTyped, isWordUnit, rarity, type TermAsked, tellingOf, type Unit, wholeWeight, withMeant } from "@chest/core";
import { affordable, type Counted, KEPT_AT_LEAST, type Share, type Ways } from "./affordable.ts";
import type { Sight, WordIndex } from "./word-index.ts";

/** Terms that together say one thing: a row says it when it holds all of them. */
export interface Way {
  readonly terms: readonly TermAsked[];
  /** What saying it so counts: the rarer, the more it tells. */
  readonly weight: number;
}

/** A thing worth asking for; rows count the best way they say it. */
export interface Asked {
  readonly ways: readonly Way[];
  /** Is it said in other ways too, that are counted beside. */
  readonly isPart?: boolean;
}

/** What is counted in rows that were found by other things, or by other ways to say this one. */
export interface Beside extends Asked {
  /** The ways that rows were looked for with: what a row says so is counted already. */
  readonly looked: readonly Way[];
}

/** Grams repeat what words say, across their borders too. */
export const isOfWords = ({ ways }: Asked): boolean => ways.some(({ terms }) => terms.some(({ isGram }) => !isGram));

export interface Choice {
  readonly asked: readonly Asked[];
  /** Too frequent to look for rows with, but counted in those that the others found. */
  readonly beside: readonly Beside[];
  /** Weight of all that the query asked for, with what nobody wrote. */
  readonly wholeWeight: number;
  /** Is there nothing in it that nobody wrote. */
  readonly isAllKnown: boolean;
  /** So many rows found are enough: with fewer, the next choice is asked for, where there is one. */
  readonly enough: number;
}

const MAX_UNITS = 32;
const MOST_GUESSED = 4;
/** Terms in more than this share of a store are noise, once it holds enough rows to tell. */
const TOO_FREQUENT = 0.2;
const ENOUGH_ROWS = 1000;
/** Rows that one question ranks, where rarer terms are there: more tell it apart from no others, and take their time. */
const ENOUGH_RANKED = 150_000;
/** Of what is rarer than that, it might matter who wrote it. */
const ALWAYS_EXACT = 20_000;
/** What an answer shows at the first glance: rarer terms that found so many leave nothing to look for. */
const ENOUGH_FOUND = 10;

/**
 * The rarest first, as many as may be ranked; then all that tell anything; then what nearly everybody wrote as well.
 * Each choice is for when the one before it found too little: in the spaces and with the filter of one question, which
 * the counts of a whole store know nothing of.
 * @param sight what the asker may see, where that is not everything: what weighs more for what others wrote would tell it
 * @param most rows that the first choice ranks, where more than a few terms are there
 */
export function* choicesOf(
  index: WordIndex,
  units: readonly Unit[],
  sight?: Sight,
  most = ENOUGH_RANKED,
): Generator<Choice> {
  // Roughly how many there are: ids are given once, and only a purge takes a row away.
  const rows = index.rows.upTo;
  const bound = rows < ENOUGH_ROWS ? rows : Math.floor(TOO_FREQUENT * rows);
  const idf = (seen: number) => rarity(seen, sight?.rows ?? rows);
  const weigh = (sought: readonly Unit[]): Weighed[] => {
    const counted = sought.map(({ alternatives }) =>
      alternatives.map(({ terms, weight }) => ({
        terms,
        isTyped: isTyped(weight),
        count: Math.min(...terms.map(({ text, isGram }) => index.count(text, isGram, bound))),
      })),
    );
    const seen = sight && seenBy(sight, counted.flat(), { rows, bound, most });
    return sought.map((unit, nth) => {
      const ways = (counted[nth] ?? []).map((way) => ({ ...way, visible: seen?.get(way) ?? way.count }));
      const telling = tellingOf(
        unit,
        ways.map(({ visible }) => idf(visible)),
      );
      const known = ways.map((way, at) => ({ ...way, weight: telling[at] ?? 0 })).filter(({ visible }) => visible > 0);
      return { unit, known, rarest: Math.min(...known.map(({ count }) => count)) };
    });
  };
  const weighed = weigh(units);
  const unseen = weighed.filter((each) => !isKnown(each));
  const guessed = weigh(guessesAt(unseen, index));
  const known = [...weighed, ...guessed].filter(isKnown).sort((a, b) => a.rarest - b.rarest);
  // Nobody wrote it in any way: it would have told as much as what stands nowhere, less what a guess at it tells.
  const unknown = unseen.map(({ unit }, nth) => ({
    weight: unit.weight * idf(0) - heaviestOf(guessed[nth]?.known ?? []),
    isSought: unit.isSought,
    isWord: isWordUnit(unit),
  }));
  const choice = (
    whole: readonly Ways[],
    enough: number,
    share: Share = { asked: asAsked(whole), beside: [] },
  ): Choice => ({
    ...share,
    wholeWeight: wholeWeight(
      whole.map((ways) => ({ weight: heaviestOf(ways), isWord: isOfWords({ ways }) })),
      unknown,
    ),
    isAllKnown: !unknown.some(({ isWord }) => isWord),
    enough,
  });
  const telling = known
    .map((unit) => unit.known.filter(({ count }) => count <= bound))
    .filter(({ length }) => length > 0);
  const all = telling.slice(0, MAX_UNITS);
  const first = affordable(all, most);
  if (first.beside.length > 0) yield choice(all, ENOUGH_FOUND, first);
  if (all.length > 0) yield choice(all, 1);
  const anyway = [...known.slice(0, all.length), ...known.slice(telling.length, telling.length + KEPT_AT_LEAST)];
  if (anyway.some((unit) => unit.known.some(({ count }) => count > bound))) {
    yield choice(
      anyway.map((unit) => unit.known),
      0,
    );
  }
}

interface Weighed {
  readonly unit: Unit;
  /** The ways in which somebody said it. */
  readonly known: Ways;
  readonly rarest: number;
}

const isKnown = ({ known }: Weighed): boolean => known.length > 0;

const heaviestOf = (ways: Ways): number => Math.max(0, ...ways.map(({ weight }) => weight));

/** Of each that nobody said, what may have been meant. A text with more of them was not mistyped but is about something else. */
function guessesAt(unseen: readonly Weighed[], index: WordIndex): Unit[] {
  if (unseen.filter(({ unit }) => isWordUnit(unit)).length > MOST_GUESSED) return [];
  return unseen.map(({ unit }) => withMeant(unit, (typed) => index.near(typed)));
}

const asAsked = (things: readonly Ways[]): Asked[] => things.map((ways) => ({ ways }));

/**
 * In how many rows that the asker sees each way is said: exactly where its rows are ranked anyway, and of more frequent
 * ones, which tell nobody anything, as many as its part of the store has.
 */
function seenBy(
  sight: Sight,
  ways: readonly Counted[],
  { rows, bound, most }: { readonly rows: number; readonly bound: number; readonly most: number },
): ReadonlyMap<Counted, number> {
  const seen = new Map<Counted, number>();
  let left = most;
  for (const way of ways.toSorted((a, b) => a.count - b.count)) {
    left -= way.count;
    const isExact = way.count <= bound && (left >= 0 || way.count < ALWAYS_EXACT);
    if (way.count === 0) seen.set(way, 0);
    else if (isExact) seen.set(way, Math.min(...way.terms.map(({ text, isGram }) => sight.holding(text, isGram))));
    else seen.set(way, Math.max(1, Math.round((way.count * sight.rows) / rows)));
  }
  return seen;
}
