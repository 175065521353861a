import type { Connection } from "../database/connection.ts";
import { Arena, CELL, type SharedMemory } from "./arena.ts";
import { type CoarseFile, CoarseVectors } from "./coarse.ts";
import { openKernel } from "./kernel/kernel.ts";
import { Lock } from "./lock.ts";
import { type Nearest, Scanner } from "./nearest.ts";
import type { Selection } from "./selection.ts";
import { Tables } from "./tables.ts";
import {
  allVectors,
  changedBetween,
  changeRange,
  dimensionsOf,
  holdsMoreThan,
  newestMemory,
  type StoredVector,
  vectorsOf,
} from "./vector-rows.ts";

/** Progress of the index. */
export const STATE = {
  /** The index holds nothing. */
  empty: 0,
  /** More must be read than a query may wait for. */
  wanted: 1,
  loading: 2,
  ready: 3,
  /** Not enough memory: queries run without the index until the next start. */
  full: 4,
} as const;

/** Share of the index for one thread. */
export interface Share {
  readonly memory: SharedMemory;
  /** Number of the thread, from 0; no two threads have the same. */
  readonly thread: number;
  /** File of the coarse vectors, open in all threads; see `openCoarseFile`. */
  readonly file?: CoarseFile | undefined;
}

/** Most vectors to read during a query; more are read in a separate thread. */
export const AT_ONCE = 4000;
const PIECE = 1000;

/**
 * Bits of every vector in shared memory. The table of vectors is authoritative: triggers record every change by any
 * writer, and each search first applies the changes.
 */
export class VectorIndex {
  readonly #connection: Connection;
  readonly #arena: Arena;
  readonly #lock: Lock;
  readonly #coarse: CoarseVectors;
  readonly #tables: Tables;
  readonly #scanner: Scanner;

  constructor(connection: Connection, { memory, thread, file }: Share) {
    this.#connection = connection;
    this.#arena = new Arena(memory);
    this.#lock = new Lock(() => this.#arena.cells(), thread);
    const { scan, dot } = openKernel(this.#arena);
    this.#coarse = new CoarseVectors(this.#arena, thread, dot, file);
    this.#tables = new Tables(this.#arena, this.#coarse);
    this.#scanner = new Scanner(this.#arena, thread, scan, this.#coarse);
  }

  /**
   * Memories near a vector by their bits, including everything committed before the query.
   * @param depth number of results wanted for a number of matching rows.
   * @returns undefined while much must be read first, and for an unknown identity.
   */
  nearest(
    identityId: number,
    vector: Float32Array,
    selection: Selection,
    depth: (passed: number) => number,
  ): Nearest | undefined {
    if (!this.#follow()) return undefined;
    return this.#lock.reading(() => {
      const table = this.#state === STATE.ready ? this.#tables.of(identityId) : undefined;
      return table && this.#scanner.nearest(table, vector, selection, depth);
    });
  }

  /** Reads everything that is missing, for a thread without queries. */
  load(): void {
    const isOurs = this.#lock.writing(() => {
      if (this.#state === STATE.loading || this.#state === STATE.full) return false;
      this.#state = STATE.loading; // From here on no other search reads the tables.
      return true;
    });
    if (!isOurs) return;
    this.#untilFull(() => {
      if (!this.#knowsWhatIsMissing()) this.#readAll();
      while (this.#followed !== changeRange(this.#connection).newest) this.#readOn(PIECE);
      this.#state = STATE.ready;
    });
  }

  /** Applies committed changes; false if there are too many for a query to wait. */
  #follow(): boolean {
    const isCurrent = () => this.#state === STATE.ready && this.#followed === changeRange(this.#connection).newest;
    if (isCurrent()) return true;
    if (this.#state !== STATE.ready && this.#state !== STATE.empty) return false;
    return this.#lock.writing(() => {
      if (isCurrent()) return true;
      if (this.#state !== STATE.ready && this.#state !== STATE.empty) return false;
      if (this.#hasMuchToRead()) {
        this.#state = STATE.wanted;
        return false;
      }
      return this.#untilFull(() => {
        if (this.#state === STATE.empty) this.#readAll();
        else this.#readOn(AT_ONCE);
        this.#state = STATE.ready;
      });
    });
  }

  #hasMuchToRead(): boolean {
    if (this.#state === STATE.empty) return holdsMoreThan(this.#connection, AT_ONCE);
    return !this.#knowsWhatIsMissing() || changeRange(this.#connection).newest - this.#followed > AT_ONCE;
  }

  /** Whether all changes since the last read are still recorded: old ones are deleted. */
  #knowsWhatIsMissing(): boolean {
    const { newest, oldest } = changeRange(this.#connection);
    return this.#followed >= 0 && oldest <= this.#followed + 1 && this.#followed <= newest;
  }

  #readAll(): void {
    const { newest } = changeRange(this.#connection);
    this.#tables.empty();
    this.#skipped = 0;
    const dimensions = dimensionsOf(this.#connection);
    this.#coarse.expect(newestMemory(this.#connection), Math.max(0, ...dimensions.values()));
    for (const vectors of allVectors(this.#connection, PIECE))
      for (const vector of vectors) this.#put(vector, dimensions);
    this.#followed = newest;
  }

  #readOn(most: number): void {
    const upTo = Math.min(changeRange(this.#connection).newest, this.#followed + most);
    const changed = new Set(changedBetween(this.#connection, this.#followed, upTo));
    const dimensions = dimensionsOf(this.#connection);
    const slots = new Map(this.#tables.all().map((table) => [table.identityId, table.slotsOf(changed)]));
    for (const vector of vectorsOf(this.#connection, changed)) {
      const slot = slots.get(vector.identityId)?.get(vector.id);
      if (this.#put(vector, dimensions, slot)) slots.get(vector.identityId)?.delete(vector.id);
    }
    // The remaining memories have no readable vector any more.
    for (const table of this.#tables.all())
      for (const slot of slots.get(table.identityId)?.values() ?? []) table.free(slot);
    this.#followed = upTo;
  }

  /** False for a vector of the wrong length: its memory is found by words only. */
  #put(vector: StoredVector, dimensions: ReadonlyMap<number, number>, slot?: number): boolean {
    const { identityId } = vector;
    const length = dimensions.get(identityId) ?? 0;
    if (vector.vector.length !== length) {
      this.#skipped += 1;
      return false;
    }
    const table = this.#tables.of(identityId) ?? this.#tables.make(identityId, length);
    table?.put(vector, slot);
    return table !== undefined;
  }

  #untilFull(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#state = STATE.full; // The thread that maintains the index logs it.
      return false;
    }
  }

  get #state(): number {
    return Atomics.load(this.#arena.cells(), CELL.state);
  }

  set #state(state: number) {
    Atomics.store(this.#arena.cells(), CELL.state, state);
  }

  /** Number of the last applied change; -1 before anything was read. */
  get #followed(): number {
    return Number(Atomics.load(this.#arena.followed(), 0)) - 1;
  }

  set #followed(change: number) {
    Atomics.store(this.#arena.followed(), 0, BigInt(change + 1));
  }

  get #skipped(): number {
    return Atomics.load(this.#arena.cells(), CELL.skipped);
  }

  set #skipped(count: number) {
    Atomics.store(this.#arena.cells(), CELL.skipped, count);
  }
}
