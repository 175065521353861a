import { FIELD_WEIGHTS, keyOf, packed } from "./field-weights.ts";

/** A text row: tokens joined by single blanks. */
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

const NONE: Holders = { ids: [], impacts: [] };

/** The rows that came or changed lately, as an index of their own: small enough to be kept up at every question. */
export class RecentRows {
  /** The terms of each. */
  readonly #rows = new Map<number, readonly string[]>();
  readonly #holders = new Map<string, { readonly ids: number[]; readonly impacts: number[] }>();

  get size(): number {
    return this.#rows.size;
  }

  set(id: number, row: TextRow): void {
    this.delete(id);
    const frequencies = frequenciesOf(row);
    for (const [key, frequency] of frequencies) this.#put(key, id, packed(frequency));
    this.#rows.set(id, [...frequencies.keys()]);
  }

  delete(id: number): void {
    for (const key of this.#rows.get(id) ?? []) {
      const { ids = [], impacts = [] } = this.#holders.get(key) ?? {};
      const at = ids.indexOf(id);
      ids.splice(at, 1);
      impacts.splice(at, 1);
      if (ids.length === 0) this.#holders.delete(key);
    }
    this.#rows.delete(id);
  }

  /** They hold until the next change. */
  holding(key: string): Holders {
    return this.#holders.get(key) ?? NONE;
  }

  clear(): void {
    this.#rows.clear();
    this.#holders.clear();
  }

  #put(key: string, id: number, impact: number): void {
    const holders = this.#holders.get(key);
    if (!holders) {
      this.#holders.set(key, { ids: [id], impacts: [impact] });
      return;
    }
    const { ids, impacts } = holders;
    let at = ids.length; // What comes is mostly the newest.
    while (at > 0 && (ids[at - 1] as number) > id) at -= 1;
    ids.splice(at, 0, id);
    impacts.splice(at, 0, impact);
  }
}

export const tokensOf = (text: string): string[] => (text === "" ? [] : text.split(" "));

function frequenciesOf({ title, tags, words, grams }: TextRow): Map<string, number> {
  const frequencies = new Map<string, number>();
  const count = (text: string, weight: number, kinds: readonly boolean[]) => {
    for (const token of tokensOf(text)) {
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
