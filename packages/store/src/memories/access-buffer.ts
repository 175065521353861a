import type { Clock } from "@chest/core/ports";
import { toSeconds } from "../database/rows.ts";

/** Batching access counts merges repeated hits on one row into one write. */
const MAX_NOTED = 5000;
/** Number of accesses kept for each memory. */
export const KEPT_STAMPS = 50;
/** Rows per transaction. */
const SLICE = 200;

export type Access = readonly [atS: number, memberId: number];
export type Noted = readonly (readonly [id: number, accesses: readonly Access[]])[];

/** Writes of buffered accesses, each in its own transaction. */
export interface AccessWrites {
  /** Counts accesses of memories that still exist, and keeps the newest times of each. */
  count(noted: Noted): Promise<void>;
  /** Adds points to turns of conversations. */
  reward(points: readonly (readonly [id: number, more: number])[]): Promise<void>;
}

/** Buffers accesses in memory and writes them in batches, so that reads never wait for the disk. */
export class AccessBuffer {
  readonly #writes: AccessWrites;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Buffered accesses by memory id. */
  #noted = new Map<number, Access[]>();
  /** Buffered points for conversation turns, by memory id. */
  #points = new Map<number, number>();
  #notes = 0;
  #flushed = Promise.resolve();

  constructor(writes: AccessWrites, clock: Clock, onError: (error: unknown) => void) {
    this.#writes = writes;
    this.#clock = clock;
    this.#onError = onError;
  }

  note(ids: readonly number[], memberId: number): void {
    const at = toSeconds(this.#clock.now());
    for (const id of ids) {
      const moments = this.#noted.get(id);
      if (moments) moments.push([at, memberId]);
      else this.#noted.set(id, [[at, memberId]]);
    }
    this.#notes += ids.length;
    if (this.#notes >= MAX_NOTED) void this.flush();
  }

  noteTurns(points: ReadonlyMap<number, number>): void {
    for (const [id, more] of points) this.#points.set(id, (this.#points.get(id) ?? 0) + more);
    this.#notes += points.size;
    if (this.#notes >= MAX_NOTED) void this.flush();
  }

  /**
   * Writes the buffer and waits for a running flush. Accesses that cannot be written are lost and reported, because no
   * answer promised them.
   */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#writeNoted());
    return this.#flushed;
  }

  async #writeNoted(): Promise<void> {
    // Ordered by id, so that two backends lock rows in the same order.
    const noted = [...this.#noted].sort(([a], [b]) => a - b);
    const points = [...this.#points].sort(([a], [b]) => a - b);
    this.#noted = new Map();
    this.#points = new Map();
    this.#notes = 0;
    for (let from = 0; from < noted.length; from += SLICE) {
      const slice = noted.slice(from, from + SLICE);
      try {
        await this.#writes.count(slice);
      } catch (error) {
        this.#onError(error);
      }
    }
    if (points.length === 0) return;
    await this.#writes.reward(points).catch(this.#onError);
  }
}
