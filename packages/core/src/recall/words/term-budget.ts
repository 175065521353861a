import type { Beside, QueryUnit, Way, Ways } from "./term-alternatives.ts";

/** Number of units that are always searched. */
export const KEPT_AT_LEAST = 3;

/** Terms to search for, and terms that are only counted in the found rows. */
export interface Share {
  readonly units: readonly QueryUnit[];
  readonly beside: readonly Beside[];
}

/**
 * Chooses the terms to search for: typed words, the rarest first, while the number of rows to rank stays in the limit;
 * then synonyms, the rarest first. A frequent synonym does not keep a rare word from being searched.
 */
export function affordable(things: readonly Ways[], ranked: number): Share {
  const looked = waysWithin(ranked, things);
  const shares = things.map((ways) => ({
    ways: ways.filter((way) => looked.has(way)),
    left: ways.filter((way) => !looked.has(way)),
  }));
  return {
    units: shares
      .filter(({ ways }) => ways.length > 0)
      .map(({ ways, left }) => (left.length > 0 ? { ways, isPart: true } : { ways })),
    beside: shares.filter(({ left }) => left.length > 0).map(({ ways, left }) => ({ ways: left, looked: ways })),
  };
}

function waysWithin(ranked: number, things: readonly Ways[]): ReadonlySet<Way> {
  const looked = new Set<Way>();
  const typed = things.map(typedOf).sort(byCost);
  let rows = 0;
  for (const [nth, ways] of typed.entries()) {
    rows += costOf(ways);
    if (nth >= KEPT_AT_LEAST && rows > ranked) return looked;
    for (const way of ways) looked.add(way);
  }
  for (const way of things.flat().sort((a, b) => a.count - b.count)) {
    if (looked.has(way)) continue;
    rows += way.count;
    if (rows > ranked) return looked;
    looked.add(way);
  }
  return looked;
}

/** The rarest synonym of a word that occurs nowhere as typed. */
function typedOf(ways: Ways): Ways {
  const typed = ways.filter(({ isTyped }) => isTyped);
  return typed.length > 0 ? typed : ways.toSorted((a, b) => a.count - b.count).slice(0, 1);
}

const costOf = (ways: Ways): number => ways.reduce((sum, { count }) => sum + count, 0);
const byCost = (a: Ways, b: Ways): number => costOf(a) - costOf(b);
