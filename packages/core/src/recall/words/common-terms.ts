import { B, K1, type WeighedFields } from "./bm25.ts";
import { FIELD_WEIGHTS, keyOf } from "./field-weights.ts";
import type { RankedIndex, RankedRows } from "./ranked-index.ts";
import { isOfWords, type Way } from "./term-alternatives.ts";
import type { Choice } from "./terms.ts";
import { type TextRow, tokensIn } from "./text-row.ts";

/** Number of rows whose texts are read: the shown rows are among the first of these. */
export const MOST_READ = 100;

/**
 * Counts terms that are too frequent to search, by reading the texts of the best rows that rarer terms found; this
 * takes the same time in a store of any size. Adds their scores to `scores` and `said`.
 * @param read reads the texts of the first `MOST_READ` rows, by id
 * @returns the rows in their new order, and which of them contain every word unit
 */
export function countBeside(
  read: Iterable<readonly [id: number, text: TextRow]>,
  index: RankedIndex,
  { usualLength }: RankedRows,
  { beside, wholeWeight }: Choice,
  ids: readonly number[],
  { scores, coverage }: Pick<WeighedFields, "scores" | "coverage">,
): { readonly ids: readonly number[]; readonly whole: ReadonlySet<number> } {
  const whole = new Set<number>();
  const all = beside.flatMap(({ ways, looked }) => [...ways, ...looked]);
  const asked = new Set(all.flatMap(({ terms }) => terms.map(keyOfTerm)));
  for (const [id, row] of read) {
    const frequencies = frequenciesOf(row, asked);
    const least = K1 * (1 - B + (B * (index.rows.lengths[id] as number)) / usualLength);
    const already = coverage[id] as number;
    let [score, weight] = [(scores[id] as number) / Math.sqrt(already / wholeWeight), already];
    let holdsAll = true;
    for (const each of beside) {
      const way = bestWay(each.ways, frequencies, least);
      const counted = bestWay(each.looked, frequencies, least);
      score += Math.max(0, way.score - counted.score);
      weight += Math.max(0, way.weight - counted.weight);
      holdsAll &&= way.score > 0 || counted.score > 0 || !isOfWords(each);
    }
    if (holdsAll) whole.add(id);
    scores[id] = score * Math.sqrt(weight / wholeWeight);
    coverage[id] = weight;
  }
  return { ids: ids.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b), whole };
}

function bestWay(ways: readonly Way[], frequencies: ReadonlyMap<string, number>, least: number) {
  let best = { score: 0, weight: 0 };
  for (const { terms, weight } of ways) {
    const frequency = Math.min(...terms.map((term) => frequencies.get(keyOfTerm(term)) ?? 0));
    const score = (weight * (K1 + 1) * frequency) / (frequency + least);
    if (score > best.score) best = { score, weight };
  }
  return best;
}

/** Weighted frequencies of these terms only. */
function frequenciesOf({ title, tags, words, grams }: TextRow, request: ReadonlySet<string>): Map<string, number> {
  const frequencies = new Map<string, number>();
  const count = (text: string, weight: number, isGram: boolean) => {
    for (const token of tokensIn(text)) {
      const key = keyOf(token, isGram);
      if (request.has(key)) frequencies.set(key, (frequencies.get(key) ?? 0) + weight);
    }
  };
  for (const isGram of [false, true]) {
    count(title, FIELD_WEIGHTS.title, isGram);
    count(tags, FIELD_WEIGHTS.tags, isGram);
  }
  count(words, FIELD_WEIGHTS.words, false);
  count(grams, FIELD_WEIGHTS.grams, true);
  return frequencies;
}

const keyOfTerm = ({ text, isGram }: { readonly text: string; readonly isGram: boolean }) => keyOf(text, isGram);
