import { isTyped, isWordUnit, rarity, tellingOf, type Unit, wholeWeight, withMeant } from "../ranking/unit.ts";
import type { Counting } from "./ranked-index.ts";
import { type Beside, heaviestOf, isOfWords, type QueryUnit, type Ways } from "./term-alternatives.ts";
import { affordable, KEPT_AT_LEAST, type Share } from "./term-budget.ts";

export interface Choice {
  readonly units: readonly QueryUnit[];
  /** Forms that are too frequent to search, and are counted only in found rows. */
  readonly beside: readonly Beside[];
  /** Weight of the whole query, including unknown words. */
  readonly wholeWeight: number;
  /** Whether every word of it occurs in some row. */
  readonly isAllKnown: boolean;
  /** Number of found rows that is enough; with fewer, the next choice is tried. */
  readonly enough: number;
}

const MAX_UNITS = 32;
const MOST_GUESSED = 4;
/** Most rows to rank if rarer terms exist: more rows cost time and add no distinction. */
const ENOUGH_RANKED = 150_000;
/** Results of a first page: once rarer terms have found this many, commoner terms are not searched. */
const ENOUGH_FOUND = 10;

/**
 * Choices of terms to search, each for when the one before found too little: the rarest terms within the limit, then
 * all significant terms, then very common ones as well.
 * @param most rows that the first choice ranks, if it has more than a few terms
 */
export function* choicesOf(units: readonly Unit[], visible: Counting, most = ENOUGH_RANKED): Generator<Choice> {
  const { rows, bound } = visible;
  const weighed = weigh(units, visible);
  const unseen = weighed.filter((each) => !isKnown(each));
  const typos = weigh(
    guessesAt(unseen, (typed) => visible.near(typed)),
    visible,
  );
  const isLost = ![...weighed, ...typos].some((each) => isKnown(each) && isWordUnit(each.unit));
  const guessed = isLost
    ? weigh(
        guessesAt(unseen, (typed) => visible.akin(typed)),
        visible,
      )
    : typos;
  const known = [...weighed, ...guessed].filter(isKnown).sort((a, b) => a.rarest - b.rarest);
  // An unknown word keeps its weight, less the weight of its guess.
  const unknown = unseen.map(({ unit }, nth) => ({
    weight: unit.weight * rarity(0, rows) - heaviestOf(guessed[nth]?.known ?? []),
    isSought: unit.isSought,
    isWord: isWordUnit(unit),
  }));
  const choice = (
    whole: readonly Ways[],
    enough: number,
    share: Share = { units: asAsked(whole), beside: [] },
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

/** Guesses for unknown words. A text with many of them is not misspelt but about something else. */
function guessesAt(unseen: readonly WeighedTerm[], meant: (typed: string) => readonly string[]): Unit[] {
  if (unseen.filter(({ unit }) => isWordUnit(unit)).length > MOST_GUESSED) return [];
  return unseen.map(({ unit }) => withMeant(unit, meant));
}

const asAsked = (things: readonly Ways[]): QueryUnit[] => things.map((ways) => ({ ways }));

/** A unit of a question with its known forms. */
interface WeighedTerm {
  readonly unit: Unit;
  /** Forms that occur in visible rows. */
  readonly known: Ways;
  readonly rarest: number;
}

const isKnown = ({ known }: WeighedTerm): boolean => known.length > 0;

/** Weighs each form of each unit by its rarity among the visible rows. */
function weigh(units: readonly Unit[], visible: Pick<Counting, "rows" | "holding">): WeighedTerm[] {
  return units.map((unit) => {
    const ways = unit.alternatives.map(({ terms, weight }) => ({
      terms,
      isTyped: isTyped(weight),
      count: Math.min(...terms.map(({ text, isGram }) => visible.holding(text, isGram))),
    }));
    const telling = tellingOf(
      unit,
      ways.map(({ count }) => rarity(count, visible.rows)),
    );
    const known = ways.map((way, at) => ({ ...way, weight: telling[at] ?? 0 })).filter(({ count }) => count > 0);
    return { unit, known, rarest: Math.min(...known.map(({ count }) => count)) };
  });
}
