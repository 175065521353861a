/** Most lists are short, and take one of these. */
export const PAGE_BYTES = 512;
const CHUNK_PAGES = 2048;
const NONE = -1;

/**
 * Room for lists of any length, in pages of one size that are given back and used again. Buffers made for each list would
 * be garbage by the megabyte before they are collected, and leave holes of every size behind.
 */
export class PagePool {
  readonly #chunks: Uint8Array[] = [];
  /** For each page, the one that follows it in its list. */
  #following = new Int32Array(0);
  #free = NONE;

  /** A page after this one; the first of a list without it. */
  take(after = NONE): number {
    if (this.#free === NONE) this.#grow();
    const page = this.#free;
    this.#free = this.#following[page] as number;
    this.#following[page] = NONE;
    if (after !== NONE) this.#following[after] = page;
    return page;
  }

  /** Gives a whole list back, by its first page and its last. */
  give(first: number, last: number): void {
    this.#following[last] = this.#free;
    this.#free = first;
  }

  after(page: number): number {
    return this.#following[page] as number;
  }

  /** Bytes of a page, from `startOf` on. */
  bytesOf(page: number): Uint8Array {
    return this.#chunks[Math.floor(page / CHUNK_PAGES)] as Uint8Array;
  }

  startOf(page: number): number {
    return (page % CHUNK_PAGES) * PAGE_BYTES;
  }

  /** Bytes that it holds, free ones included. */
  get size(): number {
    return this.#chunks.length * CHUNK_PAGES * PAGE_BYTES;
  }

  #grow(): void {
    const first = this.#chunks.length * CHUNK_PAGES;
    this.#chunks.push(new Uint8Array(CHUNK_PAGES * PAGE_BYTES));
    if (first === this.#following.length) {
      const following = new Int32Array(Math.max(CHUNK_PAGES, 2 * first));
      following.set(this.#following);
      this.#following = following;
    }
    const last = first + CHUNK_PAGES - 1;
    for (let page = first; page < last; page++) this.#following[page] = page + 1;
    this.#following[last] = this.#free;
    this.#free = first;
  }
}
