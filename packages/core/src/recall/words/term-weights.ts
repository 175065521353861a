import { isTyped, rarity, tellingOf, type Unit } from "../ranking/unit.ts";
import type { Counting } from "./ranked-index.ts";
import type { Ways } from "./term-alternatives.ts";

/** A unit of a question with its known forms. */
export interface WeighedTerm {
  readonly unit: Unit;
  /** Forms that occur in visible rows. */
  readonly known: Ways;
  readonly rarest: number;
}

export const isKnown = ({ known }: WeighedTerm): boolean => known.length > 0;

/** Weighs each form of each unit by its rarity among the visible rows. */
export function weigh(units: readonly Unit[], visible: Pick<Counting, "rows" | "holding">): WeighedTerm[] {
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
