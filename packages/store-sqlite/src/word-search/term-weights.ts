import { isTyped, rarity, tellingOf, type Unit } from "@chest/core";
import type { Counted, Ways } from "./term-alternatives.ts";
import type { Sight, WordIndex } from "./word-index.ts";

/** Of what is rarer than that, it might matter who wrote it. */
const ALWAYS_EXACT = 20_000;

/** A thing that was asked for, and who says it. */
export interface Weighed {
  readonly unit: Unit;
  /** The ways in which somebody said it. */
  readonly known: Ways;
  readonly rarest: number;
}

export const isKnown = ({ known }: Weighed): boolean => known.length > 0;

/** Facts about the rows in which terms are counted. */
export interface Counting {
  readonly index: WordIndex;
  /** Rows visible to the caller, where that is not all: weighing by other rows would leak them. */
  readonly sight: Sight | undefined;
  /** More rows than this are not counted: what stands in them is too frequent. */
  readonly bound: number;
  /** Rows that are ranked anyway. */
  readonly most: number;
}

/** Weighs each alternative of each unit by how few of the rows visible to the caller contain it. */
export function weigh(units: readonly Unit[], counting: Counting): Weighed[] {
  const { index, sight, bound } = counting;
  const counted = units.map(({ alternatives }) =>
    alternatives.map(({ terms, weight }) => ({
      terms,
      isTyped: isTyped(weight),
      count: Math.min(...terms.map(({ text, isGram }) => index.count(text, isGram, bound))),
    })),
  );
  const seen = sight && seenBy(sight, counted.flat(), counting);
  return units.map((unit, nth) => {
    const ways = (counted[nth] ?? []).map((way) => ({ ...way, visible: seen?.get(way) ?? way.count }));
    const telling = tellingOf(
      unit,
      ways.map(({ visible }) => rarityOf(visible, counting)),
    );
    const known = ways.map((way, at) => ({ ...way, weight: telling[at] ?? 0 })).filter(({ visible }) => visible > 0);
    return { unit, known, rarest: Math.min(...known.map(({ count }) => count)) };
  });
}

/** Of what stands in so many rows that the asker sees. */
export const rarityOf = (seen: number, { index, sight }: Counting): number =>
  rarity(seen, sight?.rows ?? index.rows.upTo);

/**
 * In how many rows that the asker sees each way is said: exactly where its rows are ranked anyway, and of more frequent
 * ones, which tell nobody anything, as many as its part of the store has.
 */
function seenBy(
  sight: Sight,
  ways: readonly Counted[],
  { index, bound, most }: Counting,
): ReadonlyMap<Counted, number> {
  const seen = new Map<Counted, number>();
  let left = most;
  for (const way of ways.toSorted((a, b) => a.count - b.count)) {
    left -= way.count;
    const isExact = way.count <= bound && (left >= 0 || way.count < ALWAYS_EXACT);
    if (way.count === 0) seen.set(way, 0);
    else if (isExact) seen.set(way, Math.min(...way.terms.map(({ text, isGram }) => sight.holding(text, isGram))));
    else seen.set(way, Math.max(1, Math.round((way.count * sight.rows) / index.rows.upTo)));
  }
  return seen;
}
