import { CELL, MAX_THREADS } from "./arena.ts";

// Poll interval, because a thread that was terminated wakes no other.
const LOOK_AGAIN_MS = 50;

/** Read-write lock between threads. It blocks, so it must not be used on the event loop. */
export class Lock {
  readonly #cells: () => Int32Array;
  readonly #thread: number;

  /** @param thread from 0, this thread's own among all that share the index. */
  constructor(cells: () => Int32Array, thread: number) {
    this.#cells = cells;
    this.#thread = thread;
  }

  reading<T>(work: () => T): T {
    const cells = this.#cells();
    const own = CELL.readers + this.#thread;
    for (;;) {
      // Set before checking, so that of a reader and a writer that arrive together one sees the other.
      Atomics.store(cells, own, 1);
      const writer = Atomics.load(cells, CELL.writer);
      if (writer === 0) break;
      this.#leave(own);
      Atomics.wait(cells, CELL.writer, writer, LOOK_AGAIN_MS);
    }
    try {
      return work();
    } finally {
      this.#leave(own);
    }
  }

  writing<T>(work: () => T): T {
    const cells = this.#cells();
    for (;;) {
      const writer = Atomics.compareExchange(cells, CELL.writer, 0, this.#thread + 1);
      if (writer === 0) break;
      Atomics.wait(cells, CELL.writer, writer, LOOK_AGAIN_MS);
    }
    try {
      for (let thread = 0; thread < MAX_THREADS; thread++) {
        while (Atomics.load(cells, CELL.readers + thread) === 1)
          Atomics.wait(cells, CELL.readers + thread, 1, LOOK_AGAIN_MS);
      }
      return work();
    } finally {
      this.#leave(CELL.writer);
    }
  }

  #leave(cell: number): void {
    const cells = this.#cells();
    Atomics.store(cells, cell, 0);
    Atomics.notify(cells, cell);
  }
}

/**
 * Releases the locks of a terminated thread.
 * @returns whether it was changing the index, which may be inconsistent now
 */
export function releaseOf(cells: Int32Array, thread: number): boolean {
  Atomics.store(cells, CELL.readers + thread, 0);
  Atomics.notify(cells, CELL.readers + thread);
  const wasWriting = Atomics.compareExchange(cells, CELL.writer, thread + 1, 0) === thread + 1;
  Atomics.notify(cells, CELL.writer);
  return wasWriting;
}
