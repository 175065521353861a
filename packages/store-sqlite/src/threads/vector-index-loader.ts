import { closeSync } from "node:fs";
import type { Connection } from "../database/connection.ts";
import type { StoreLog } from "../database/store-log.ts";
import { Arena, CELL, MAX_THREADS } from "../vector-index/arena.ts";
import { type CoarseFile, openCoarseFile } from "../vector-index/coarse.ts";
import { releaseOf } from "../vector-index/lock.ts";
import { Tables } from "../vector-index/tables.ts";
import { AT_ONCE, type Share, STATE } from "../vector-index/vector-index.ts";
import { holdsMoreThan } from "../vector-index/vector-rows.ts";
import { SearchPool } from "./search-pool.ts";

// Loading may take long: no caller waits for it.
const PATIENCE_MS = 3_600_000;
const AGAIN_AFTER_MS = 30_000;
// A program that opens the store only briefly loads no index.
const AFTER_MS = 300;

/** State of the index, for the log and for measurements. */
export interface VectorIndexStatus {
  readonly isReady: boolean;
  readonly vectors: number;
  /** Vectors whose length differs from their identity's. */
  readonly skipped: number;
  readonly bytes: number;
  /** Whether coarse vectors, of one byte per number, are also kept. */
  readonly hasCoarse: boolean;
}

export interface Hosted {
  readonly path: string;
  readonly reader: Connection;
  readonly log: StoreLog;
}

/** Owns the index that the search threads share: hands out shares, and loads it in a separate thread. */
export class VectorIndexHost {
  readonly #path: string;
  readonly #log: StoreLog;
  readonly #arena = Arena.create();
  readonly #threads = new Set<number>();
  #loader: SearchPool | undefined;
  #loading: Promise<void> | undefined;
  #notBefore = 0;
  #file: CoarseFile | undefined;
  #isFileAsked = false;
  #start: NodeJS.Timeout | undefined;
  #isFullSaid = false;
  #isClosed = false;

  constructor({ path, reader, log }: Hosted) {
    this.#path = path;
    this.#log = log;
    if (holdsMoreThan(reader, AT_ONCE)) this.#start = setTimeout(() => this.#want(), AFTER_MS).unref();
  }

  /** A share for a new thread; undefined if there are none left: it then searches without the index. */
  readonly enter = (): Share | undefined => {
    const thread = Array.from({ length: MAX_THREADS }, (_, number) => number).find((each) => !this.#threads.has(each));
    if (thread === undefined) return undefined;
    this.#threads.add(thread);
    if (!this.#isFileAsked) this.#file = openCoarseFile(this.#path);
    this.#isFileAsked = true;
    return { memory: this.#arena.shared, thread, file: this.#file };
  };

  /** Releases the share of an ended thread; its unfinished changes are read again. */
  readonly leave = ({ thread }: Share): void => {
    const cells = this.#arena.cells();
    if (releaseOf(cells, thread)) this.#readAnew();
    this.#threads.delete(thread);
    this.#closeFile();
  };

  standing(): VectorIndexStatus {
    const cells = this.#arena.cells();
    return {
      isReady: Atomics.load(cells, CELL.state) === STATE.ready,
      vectors: new Tables(this.#arena).all().reduce((sum, { live }) => sum + live, 0),
      skipped: Atomics.load(cells, CELL.skipped),
      bytes: this.#arena.bytes().byteLength,
      hasCoarse: Atomics.load(cells, CELL.withoutCoarse) === 0,
    };
  }

  /** Loads the index if a search, or the opening of the store, found much to read. */
  tend(): void {
    const state = Atomics.load(this.#arena.cells(), CELL.state);
    if (state === STATE.full && !this.#isFullSaid) {
      this.#isFullSaid = true;
      this.#log.warn(
        { ...this.standing() },
        "no memory for the vector index: recall uses words only until the next start",
      );
    }
    if (state !== STATE.wanted || this.#loading || this.#isClosed || Date.now() < this.#notBefore) return;
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
      this.tend(); // What was asked for meanwhile.
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#start);
    await this.#loader?.close();
    await this.#loading;
    this.#closeFile();
  }

  /** Closes the file after all threads have ended, because its descriptor may be reused. */
  #closeFile(): void {
    if (!this.#isClosed || this.#threads.size > 0 || this.#file === undefined) return;
    closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  #want(): void {
    Atomics.compareExchange(this.#arena.cells(), CELL.state, STATE.empty, STATE.wanted);
    this.tend();
  }

  async #load(): Promise<void> {
    const startedAt = performance.now();
    this.#loader = new SearchPool({ path: this.#path, threads: 1, timeoutMs: PATIENCE_MS, vectors: this });
    try {
      await this.#loader.ask("loadVectors", {});
      const { isReady, ...standing } = this.standing();
      const ms = Math.round(performance.now() - startedAt);
      if (isReady) this.#log.info({ ...standing, ms }, "vector index loaded");
      else this.tend(); // Which says what stands in its way.
    } catch (error) {
      if (this.#isClosed) return; // Ended in the middle, as it should be.
      this.#notBefore = Date.now() + AGAIN_AFTER_MS;
      this.#readAnew();
      this.#log.warn({ err: error }, "the vector index could not be loaded: recall uses words only for now");
    } finally {
      await this.#loader.close();
    }
  }

  #readAnew(): void {
    const cells = this.#arena.cells();
    if (Atomics.load(cells, CELL.state) === STATE.full) return;
    Atomics.store(this.#arena.followed(), 0, 0n);
    Atomics.store(cells, CELL.state, STATE.wanted);
  }
}
