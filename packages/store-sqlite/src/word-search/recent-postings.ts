import { frequenciesOf, type Holders, packed, type TextRow } from "@chest/core/recall";

const NONE: Holders = { ids: [], impacts: [] };

/** Index of recently added or changed rows, small enough to update at every query. */
export class RecentRows {
  /** Terms of each row. */
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

  /** Valid until the next change. */
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
