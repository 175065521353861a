import { isTyped, rarity, tellingOf, type Unit } from "../ranking/unit.ts";
import type { Counting } from "./ranked-index.ts";
import type { Ways } from "./term-alternatives.ts";

/** A thing that was asked for, and who says it. */
export interface WeighedTerm {
  readonly unit: Unit;
  /** The forms that occur in rows in sight. */
  readonly known: Ways;
  readonly rarest: number;
}

export const isKnown = ({ known }: WeighedTerm): boolean => known.length > 0;

/** Weighs each alternative of each unit by how few of the visible rows contain it. */
export function weigh(units: readonly Unit[], sight: Pick<Counting, "rows" | "holding">): WeighedTerm[] {
  return units.map((unit) => {
    const ways = unit.alternatives.map(({ terms, weight }) => ({
      terms,
      isTyped: isTyped(weight),
      count: Math.min(...terms.map(({ text, isGram }) => sight.holding(text, isGram))),
    }));
    const telling = tellingOf(
      unit,
      ways.map(({ count }) => rarity(count, sight.rows)),
    );
    const known = ways.map((way, at) => ({ ...way, weight: telling[at] ?? 0 })).filter(({ count }) => count > 0);
    return { unit, known, rarest: Math.min(...known.map(({ count }) => count)) };
  });
}
