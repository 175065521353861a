import type { QueryTerm } from "../ranking/unit.ts";
import type { WeighedFields } from "./bm25.ts";
import type { RankedIndex, RankedRows } from "./ranked-index.ts";
import { isOfWords, type QueryUnit } from "./term-alternatives.ts";
import type { Choice } from "./terms.ts";

/** Tolerance for sums of 32-bit floats. */
const SLACK = 0.999;

/** Rows that contain every unit of the question in some form. Grams count only if there is no other unit. */
export function wholeRows(
  index: RankedIndex,
  { parts }: RankedRows,
  { units, isAllKnown }: Choice,
  ids: readonly number[],
  { coverage, lentTo }: Pick<WeighedFields, "coverage" | "lentTo">,
): ReadonlySet<number> {
  if (!isAllKnown || units.length === 0) return new Set();
  const words = units.filter(isOfWords);
  // Units with forms counted in found rows only are decided by that count.
  const things = (words.length > 0 ? words : units).filter(({ isPart }) => !isPart);
  // A row below the sum of the least weights cannot contain every unit.
  const least = SLACK * things.reduce((sum, { ways }) => sum + Math.min(...ways.map(({ weight }) => weight)), 0);
  const saysEnough = (id: number) => (coverage[id] ?? 0) - lentTo(id) >= least;
  const some = ids.filter(saysEnough);
  if (some.length === 0) return new Set();
  const holds = holdersAmong(some, index, parts);
  const says =
    (id: number) =>
    ({ ways }: QueryUnit) =>
      ways.some(({ terms }) => terms.every((term) => holds(term, id)));
  return new Set(some.filter((id) => things.every(says(id))));
}

/** Tells whether rows contain a term; each term is looked up once. */
function holdersAmong(
  some: readonly number[],
  index: RankedIndex,
  parts: RankedRows["parts"],
): (term: QueryTerm, id: number) => boolean {
  const known = new Map<QueryTerm, ReadonlySet<number>>();
  const sorted = some.toSorted((a, b) => a - b);
  const holdersOf = (term: QueryTerm) => {
    const { text, isGram } = term;
    const unchanged = sorted.filter((id) => !index.changed.has(id));
    const holders = new Set(index.recentOf(text, isGram).ids);
    for (const { number } of parts)
      for (const id of index.rowsOf(text, isGram, number).among(unchanged)) holders.add(id);
    known.set(term, holders);
    return holders;
  };
  return (term, id) => (known.get(term) ?? holdersOf(term)).has(id);
}
