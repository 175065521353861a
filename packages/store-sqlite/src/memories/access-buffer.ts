import { type Clock, MAX_SCORE } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toSeconds } from "../database/row-mapping.ts";
import type { Writer } from "../writing/write-queue.ts";

/** Batching access counts merges repeated hits on one row into one write. */
const MAX_NOTED = 5000;
const KEPT_STAMPS = 50;
/** Rows that are written in one piece: some milliseconds. */
const SLICE = 200;

type Access = readonly [atS: number, memberId: number];

/** Reads noted in memory and written in batches: a read that waits for the disk is a slow read. */
export class AccessLog {
  readonly #writer: Writer;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Accesses by memory. */
  #noted = new Map<number, Access[]>();
  #notes = 0;
  /** Points of turns of conversations, by memory. */
  #points = new Map<number, number>();
  #flushed = Promise.resolve();

  constructor(options: {
    readonly writer: Writer;
    readonly connection: Connection;
    readonly clock: Clock;
    readonly everyMs: number;
    readonly onError: (error: unknown) => void;
  }) {
    this.#writer = options.writer;
    this.#connection = options.connection;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#timer = setInterval(() => void this.flush(), options.everyMs);
    this.#timer.unref();
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
    // Ordered by id, as rows and their stamps lie: rows of one page are written together.
    const noted = [...this.#noted].sort(([a], [b]) => a - b);
    const points = [...this.#points];
    this.#noted = new Map();
    this.#points = new Map();
    this.#notes = 0;
    for (let from = 0; from < noted.length; from += SLICE) {
      const slice = noted.slice(from, from + SLICE);
      try {
        await this.#writer.sweep(async () => this.#write(slice));
      } catch (error) {
        this.#onError(error);
      }
    }
    if (points.length === 0) return;
    await this.#writer
      .sweep(async () => {
        for (const [id, more] of points) this.#connection.run(REWARD, more, MAX_SCORE, id);
      })
      .catch(this.#onError);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #write(noted: readonly (readonly [id: number, accesses: readonly Access[]])[]): void {
    for (const [id, accesses] of noted) {
      const last = Math.max(...accesses.map(([at]) => at));
      const row = this.#connection.get<{ access_count: number }>(COUNT, accesses.length, last, id);
      if (!row) continue;
      for (const [at, memberId] of accesses.slice(-KEPT_STAMPS)) this.#connection.run(STAMP, id, at, memberId);
      if (row.access_count > KEPT_STAMPS) this.#connection.run(PRUNE, id, id, KEPT_STAMPS);
    }
  }
}

const COUNT = `UPDATE memories SET access_count = access_count + ?, last_accessed_at = max(?, coalesce(last_accessed_at, 0))
  WHERE id = ? RETURNING access_count`;
const REWARD = "UPDATE memories SET conv_score = min(conv_score + ?, ?) WHERE id = ?";
const STAMP = "INSERT INTO memory_access_log (memory_id, accessed_at, member_id) VALUES (?, ?, ?)";
const PRUNE = `DELETE FROM memory_access_log WHERE memory_id = ? AND rowid NOT IN (
  SELECT rowid FROM memory_access_log WHERE memory_id = ? ORDER BY accessed_at DESC LIMIT ?)`;
