import type { Clock } from "@chest/core";
import { toSeconds } from "../database/rows.ts";
import type { Writer } from "../database/write.ts";

/** Batching access counts merges repeated hits on one row into one write. */
const MAX_NOTED = 5000;
const KEPT_STAMPS = 50;
/** Rows that are written in one transaction. */
const SLICE = 200;

/** Reads noted in memory and written in batches: a read that waits for the disk is a slow read. */
export class AccessBuffer {
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Moments in Unix seconds, by memory. */
  #noted = new Map<number, number[]>();
  #notes = 0;
  #flushed = Promise.resolve();

  constructor(writer: Writer, clock: Clock, onError: (error: unknown) => void) {
    this.#writer = writer;
    this.#clock = clock;
    this.#onError = onError;
  }

  note(ids: readonly number[]): void {
    const at = toSeconds(this.#clock.now());
    for (const id of ids) {
      const moments = this.#noted.get(id);
      if (moments) moments.push(at);
      else this.#noted.set(id, [at]);
    }
    this.#notes += ids.length;
    if (this.#notes >= MAX_NOTED) void this.flush();
  }

  /**
   * Writes what was noted so far, and waits for whoever has begun to; what cannot be written is lost and reported,
   * since no answer promised it.
   */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#writeNoted());
    return this.#flushed;
  }

  async #writeNoted(): Promise<void> {
    // By id, so that two backends lock the same rows in one order.
    const noted = [...this.#noted].sort(([a], [b]) => a - b);
    this.#noted = new Map();
    this.#notes = 0;
    for (let from = 0; from < noted.length; from += SLICE) {
      const slice = noted.slice(from, from + SLICE);
      try {
        await this.#write(slice);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #write(noted: readonly (readonly [id: number, moments: readonly number[]])[]): Promise<void> {
    const ids = noted.map(([id]) => id);
    const stamps = noted.flatMap(([id, moments]) => moments.slice(-KEPT_STAMPS).map((at) => [id, at] as const));
    return this.#writer.write(async (tx) => {
      const there = new Set(await tx.ids(LOCK, ids));
      const kept = stamps.filter(([id]) => there.has(id));
      tx.later(
        COUNT,
        ids,
        noted.map(([, moments]) => moments.length),
        noted.map(([, moments]) => Math.max(...moments)),
      );
      tx.later(
        STAMP,
        kept.map(([id]) => id),
        kept.map(([, at]) => at),
      );
      tx.later(PRUNE, ids);
    });
  }
}

const LOCK = "SELECT id FROM memories WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE";
const COUNT = `UPDATE memories m SET access_count = m.access_count + n.times,
    last_accessed_at = greatest(n.last_at, coalesce(m.last_accessed_at, 0))
  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS n (id, times, last_at) WHERE m.id = n.id`;
const STAMP = "INSERT INTO memory_access_log (memory_id, accessed_at) SELECT * FROM unnest(?::bigint[], ?::bigint[])";
const PRUNE = `DELETE FROM memory_access_log WHERE id IN (
  SELECT l.id FROM memories m CROSS JOIN LATERAL (
    SELECT id FROM memory_access_log WHERE memory_id = m.id ORDER BY accessed_at DESC, id DESC OFFSET ${KEPT_STAMPS}) l
  WHERE m.id = ANY (?) AND m.access_count > ${KEPT_STAMPS})`;
