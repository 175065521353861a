/** Most lists are short and fit in one page. */
export const PAGE_BYTES = 512;
const CHUNK_PAGES = 2048;
const NONE = -1;

/**
 * Allocates lists of any length in pages of one size, which are reused. Separate buffers would produce megabytes of
 * garbage and fragment the heap.
 */
export class PagePool {
  readonly #chunks: Uint8Array[] = [];
  /** For each page, the one that follows it in its list. */
  #following = new Int32Array(0);
  #free = NONE;

  /** Allocates a page after a given one, or the first page of a list. */
  take(after = NONE): number {
    if (this.#free === NONE) this.#grow();
    const page = this.#free;
    this.#free = this.#following[page] as number;
    this.#following[page] = NONE;
    if (after !== NONE) this.#following[after] = page;
    return page;
  }

  /** Frees a whole list. */
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
