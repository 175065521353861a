import { isWordUnit, rarity, type Unit, wholeWeight, withMeant } from "../ranking/unit.ts";
import type { Counting } from "./ranked-index.ts";
import { type Beside, heaviestOf, isOfWords, type QueryUnit, type Ways } from "./term-alternatives.ts";
import { affordable, KEPT_AT_LEAST, type Share } from "./term-budget.ts";
import { isKnown, type WeighedTerm, weigh } from "./term-weights.ts";

export interface Choice {
  readonly asked: readonly QueryUnit[];
  /** Too frequent to look for rows with, but counted in those that the others found. */
  readonly beside: readonly Beside[];
  /** Weight of the whole query, unknown words included. */
  readonly wholeWeight: number;
  /** Whether every word of it occurs in some row. */
  readonly isAllKnown: boolean;
  /** Rows that are enough: with fewer, the next choice is asked for, where there is one. */
  readonly enough: number;
}

const MAX_UNITS = 32;
const MOST_GUESSED = 4;
/** Rows that one question ranks, where rarer terms are there: more tell it apart from no others, and take their time. */
const ENOUGH_RANKED = 150_000;
/** Results on a first page: once rarer terms have found so many, commoner ones are not searched. */
const ENOUGH_FOUND = 10;

/**
 * The rarest first, as many as may be ranked; then all that tell anything; then what nearly everybody wrote as well.
 * Each choice is for when the one before it found too little, behind the filter of one question.
 * @param most rows that the first choice ranks, where more than a few terms are there
 */
export function* choicesOf(units: readonly Unit[], sight: Counting, most = ENOUGH_RANKED): Generator<Choice> {
  const { rows, bound } = sight;
  const weighed = weigh(units, sight);
  const unseen = weighed.filter((each) => !isKnown(each));
  const typos = weigh(
    guessesAt(unseen, (typed) => sight.near(typed)),
    sight,
  );
  const isLost = ![...weighed, ...typos].some((each) => isKnown(each) && isWordUnit(each.unit));
  const guessed = isLost
    ? weigh(
        guessesAt(unseen, (typed) => sight.akin(typed)),
        sight,
      )
    : typos;
  const known = [...weighed, ...guessed].filter(isKnown).sort((a, b) => a.rarest - b.rarest);
  // A word that occurs in no form weighs as much as one that stands nowhere, less the weight of a guess at it.
  const unknown = unseen.map(({ unit }, nth) => ({
    weight: unit.weight * rarity(0, rows) - heaviestOf(guessed[nth]?.known ?? []),
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

/** Guesses at words that occur nowhere. A text with more of them was not mistyped but is about something else. */
function guessesAt(unseen: readonly WeighedTerm[], meant: (typed: string) => readonly string[]): Unit[] {
  if (unseen.filter(({ unit }) => isWordUnit(unit)).length > MOST_GUESSED) return [];
  return unseen.map(({ unit }) => withMeant(unit, meant));
}

const asAsked = (things: readonly Ways[]): QueryUnit[] => things.map((ways) => ({ ways }));
