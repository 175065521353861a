import type { Clock } from "@chest/core";
import { toSeconds } from "../database/rows.ts";

/** Batching access counts merges repeated hits on one row into one write. */
const MAX_NOTED = 5000;
/** Moments that are kept of each memory. */
export const KEPT_STAMPS = 50;
/** Rows that are written in one transaction. */
const SLICE = 200;

export type Access = readonly [atS: number, memberId: number];
export type Noted = readonly (readonly [id: number, accesses: readonly Access[]])[];

/** Writes of what was noted, each in a transaction of its own. */
export interface AccessWrites {
  /** Counts accesses of memories that are still there, and keeps the newest moments of each. */
  count(noted: Noted): Promise<void>;
  /** Adds points to turns of conversations. */
  reward(points: readonly (readonly [id: number, more: number])[]): Promise<void>;
}

/** Reads noted in memory and written in batches: a read that waits for the disk is a slow read. */
export class AccessBuffer {
  readonly #writes: AccessWrites;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Accesses by memory. */
  #noted = new Map<number, Access[]>();
  /** Points of turns of conversations, by memory. */
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
   * Writes what was noted so far, and waits for a flush that has begun; accesses that cannot be written are lost and
   * reported, since no answer promised them.
   */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#writeNoted());
    return this.#flushed;
  }

  async #writeNoted(): Promise<void> {
    // Ordered by id, so that two backends lock the same rows in one order.
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
