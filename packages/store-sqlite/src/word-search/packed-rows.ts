import { FIELD_WEIGHTS, packed, type UnpackedRows } from "@chest/core/recall";
import { PAGE_BYTES, type PagePool } from "./page-pool.ts";

/** The most common weight: a row with one occurrence stores only its id. */
const USUAL = packed(FIELD_WEIGHTS.words);
/** A gap in five bytes, and a weight. */
const MOST_BYTES = 6;

/** A scope's number, with the scope number of each row by id. */
export interface Scope {
  readonly number: number;
  readonly scopes: Uint32Array;
}

/**
 * Rows of one term by ascending id, as variable-length gaps, with a weight byte if the weight is unusual. A frequent
 * term takes one byte per row, a rare one two or three. Stored in pages of a pool; no entry crosses pages.
 */
export class PackedRows {
  readonly #pool: PagePool;
  #first = NONE;
  #page = NONE;
  #pages = 0;
  /** Bytes of the last page; the next entry goes to `#at`, and none starts after `#end`. */
  #bytes = NOTHING;
  #at = 0;
  #full = -1;
  #last = 0;
  /** Rows in it. */
  length = 0;

  constructor(pool: PagePool) {
    this.#pool = pool;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.#pages * PAGE_BYTES;
  }

  /** @param id greater than the last one. */
  append(id: number, impact: number): void {
    if (this.#at > this.#full) this.#turn();
    const bytes = this.#bytes;
    const isUsual = impact === USUAL;
    let at = this.#at;
    let gap = id - this.#last;
    let byte = ((gap & 0x3f) << 1) | (isUsual ? 0 : 1);
    gap >>>= 6;
    while (gap > 0) {
      bytes[at++] = byte | 0x80;
      byte = gap & 0x7f;
      gap >>>= 7;
    }
    bytes[at++] = byte;
    if (!isUsual) bytes[at++] = impact;
    this.#at = at;
    this.#last = id;
    this.length += 1;
  }

  /** Returns its pages to the pool, and is empty then. */
  clear(): void {
    if (this.#first !== NONE) this.#pool.give(this.#first, this.#page);
    [this.#first, this.#page, this.#pages] = [NONE, NONE, 0];
    [this.#bytes, this.#at, this.#full] = [NOTHING, 0, -1];
    [this.#last, this.length] = [0, 0];
  }

  /** @param scope limits the result to the rows of this scope */
  unpack(into: UnpackedRows, scope?: Scope): void {
    const { ids, impacts } = into.withRoom(this.length);
    const { length } = this;
    let [row, id, kept] = [0, 0, 0];
    for (let page = this.#first; row < length; page = this.#pool.after(page)) {
      const bytes = this.#pool.bytesOf(page);
      let at = this.#pool.startOf(page);
      for (const full = at + PAGE_BYTES - MOST_BYTES; row < length && at <= full; row++) {
        let byte = bytes[at++] as number;
        const isUsual = (byte & 1) === 0;
        let gap = (byte >> 1) & 0x3f;
        for (let shift = 6; byte >= 0x80; shift += 7) {
          byte = bytes[at++] as number;
          gap |= (byte & 0x7f) << shift;
        }
        id += gap >>> 0;
        const impact = isUsual ? USUAL : (bytes[at++] as number);
        if (scope !== undefined && scope.scopes[id] !== scope.number) continue;
        ids[kept] = id;
        impacts[kept] = impact;
        kept += 1;
      }
    }
    into.length = kept;
  }

  /** Selects the ids, given in ascending order, that it contains; reads only as far as the last of them. */
  among(sorted: readonly number[]): Set<number> {
    const found = new Set<number>();
    const { length } = this;
    let [row, id, nth] = [0, 0, 0];
    for (let page = this.#first; row < length && nth < sorted.length; page = this.#pool.after(page)) {
      const bytes = this.#pool.bytesOf(page);
      let at = this.#pool.startOf(page);
      for (const full = at + PAGE_BYTES - MOST_BYTES; row < length && at <= full; row++) {
        let byte = bytes[at++] as number;
        const isUsual = (byte & 1) === 0;
        let gap = (byte >> 1) & 0x3f;
        for (let shift = 6; byte >= 0x80; shift += 7) {
          byte = bytes[at++] as number;
          gap |= (byte & 0x7f) << shift;
        }
        if (!isUsual) at += 1;
        id += gap >>> 0;
        while (nth < sorted.length && (sorted[nth] as number) < id) nth += 1;
        if (sorted[nth] === id) found.add(id);
      }
    }
    return found;
  }

  #turn(): void {
    this.#page = this.#pool.take(this.#page);
    if (this.#first === NONE) this.#first = this.#page;
    this.#pages += 1;
    this.#bytes = this.#pool.bytesOf(this.#page);
    this.#at = this.#pool.startOf(this.#page);
    this.#full = this.#at + PAGE_BYTES - MOST_BYTES;
  }
}

const NONE = -1;
const NOTHING: Uint8Array = new Uint8Array(0);
