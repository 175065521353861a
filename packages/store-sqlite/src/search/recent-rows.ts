import { FIELD_WEIGHTS, keyOf } from "./field-weights.ts";

/** A text row: tokens joined by single blanks. */
export interface TextRow {
  readonly title: string;
  readonly tags: string;
  readonly words: string;
  readonly grams: string;
}

/** The rows that came or changed lately, as an index of their own: small enough to be kept up at every question. */
export class RecentRows {
  /** Weighted frequencies by term, of each row. */
  readonly #rows = new Map<number, ReadonlyMap<string, number>>();
  /** Rows that hold or once held a term, in the order they came. */
  readonly #holders = new Map<string, number[]>();

  get size(): number {
    return this.#rows.size;
  }

  has(id: number): boolean {
    return this.#rows.has(id);
  }

  set(id: number, row: TextRow): void {
    const before = this.#rows.get(id);
    const frequencies = frequenciesOf(row);
    for (const key of frequencies.keys()) {
      const holders = this.#holders.get(key);
      if (!holders) this.#holders.set(key, [id]);
      else if (!before || !holders.includes(id)) holders.push(id);
    }
    this.#rows.set(id, frequencies);
  }

  delete(id: number): void {
    if (this.#rows.has(id)) this.#rows.set(id, new Map());
  }

  /** Rows that hold a term, with its weighted frequency there. */
  holding(key: string): (readonly [id: number, frequency: number])[] {
    return (this.#holders.get(key) ?? []).flatMap((id) => {
      const frequency = this.#rows.get(id)?.get(key);
      return frequency === undefined ? [] : [[id, frequency] as const];
    });
  }

  clear(): void {
    this.#rows.clear();
    this.#holders.clear();
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
