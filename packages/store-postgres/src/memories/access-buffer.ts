import { type Clock, MAX_SCORE } from "@chest/core";
import { toSeconds } from "@chest/store/database/rows";
import type { Writer } from "../database/write.ts";

/** Batching access counts merges repeated hits on one row into one write. */
const MAX_NOTED = 5000;
const KEPT_STAMPS = 50;
/** Rows that are written in one transaction. */
const SLICE = 200;

type Access = readonly [atS: number, memberId: number];

/** Reads noted in memory and written in batches: a read that waits for the disk is a slow read. */
export class AccessBuffer {
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Accesses by memory. */
  #noted = new Map<number, Access[]>();
  /** Points of turns of conversations, by memory. */
  #points = new Map<number, number>();
  #notes = 0;
  #flushed = Promise.resolve();

  constructor(writer: Writer, clock: Clock, onError: (error: unknown) => void) {
    this.#writer = writer;
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
        await this.#write(slice);
      } catch (error) {
        this.#onError(error);
      }
    }
    if (points.length === 0) return;
    await this.#reward(points).catch(this.#onError);
  }

  #reward(points: readonly (readonly [id: number, more: number])[]): Promise<void> {
    const ids = points.map(([id]) => id);
    return this.#writer.write(async (tx) => {
      tx.later(LOCK, ids);
      tx.later(
        REWARD,
        MAX_SCORE,
        ids,
        points.map(([, more]) => more),
      );
    });
  }

  #write(noted: readonly (readonly [id: number, accesses: readonly Access[]])[]): Promise<void> {
    const ids = noted.map(([id]) => id);
    const stamps = noted.flatMap(([id, accesses]) =>
      accesses.slice(-KEPT_STAMPS).map(([at, memberId]) => [id, at, memberId] as const),
    );
    return this.#writer.write(async (tx) => {
      const there = new Set(await tx.ids(LOCK, ids));
      const kept = stamps.filter(([id]) => there.has(id));
      tx.later(
        COUNT,
        ids,
        noted.map(([, accesses]) => accesses.length),
        noted.map(([, accesses]) => Math.max(...accesses.map(([at]) => at))),
      );
      tx.later(
        STAMP,
        kept.map(([id]) => id),
        kept.map(([, at]) => at),
        kept.map(([, , memberId]) => memberId),
      );
      tx.later(PRUNE, ids);
    });
  }
}

const LOCK = "SELECT id FROM memories WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE";
const COUNT = `UPDATE memories m SET access_count = m.access_count + n.times,
    last_accessed_at = greatest(n.last_at, coalesce(m.last_accessed_at, 0))
  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS n (id, times, last_at) WHERE m.id = n.id`;
const REWARD = `UPDATE memories m SET conv_score = least(m.conv_score + n.more, ?::float8)
  FROM unnest(?::bigint[], ?::float8[]) AS n (id, more) WHERE m.id = n.id`;
const STAMP = `INSERT INTO memory_access_log (memory_id, accessed_at, member_id)
  SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::bigint[])`;
const PRUNE = `DELETE FROM memory_access_log WHERE id IN (
  SELECT l.id FROM memories m CROSS JOIN LATERAL (
    SELECT id FROM memory_access_log WHERE memory_id = m.id ORDER BY accessed_at DESC, id DESC OFFSET ${KEPT_STAMPS}) l
  WHERE m.id = ANY (?) AND m.access_count > ${KEPT_STAMPS})`;
