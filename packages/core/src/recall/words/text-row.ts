import { FIELD_WEIGHTS, keyOf } from "./field-weights.ts";

/** Searchable text of a memory: tokens joined by single spaces. */
export interface TextRow {
  readonly title: string;
  readonly tags: string;
  readonly words: string;
  readonly grams: string;
}

/** The rows of one term by ascending id, each with its weighted frequency in one byte. */
export interface Holders {
  readonly ids: readonly number[];
  readonly impacts: readonly number[];
}

export const tokensIn = (text: string): string[] => (text === "" ? [] : text.split(" "));

/** Weighted frequencies of a row's terms by key. Titles and tags count as words and as grams. */
export function frequenciesOf({ title, tags, words, grams }: TextRow): Map<string, number> {
  const frequencies = new Map<string, number>();
  const count = (text: string, weight: number, kinds: readonly boolean[]) => {
    for (const token of tokensIn(text)) {
      for (const isGram of kinds) {
        const key = keyOf(token, isGram);
        frequencies.set(key, (frequencies.get(key) ?? 0) + weight);
      }
    }
  };
  count(title, FIELD_WEIGHTS.title, [false, true]);
  count(tags, FIELD_WEIGHTS.tags, [false, true]);
  count(words, FIELD_WEIGHTS.words, [false]);
  count(grams, FIELD_WEIGHTS.grams, [true]);
  return frequencies;
}
