import type { Clock } from "@chest/core";
import type { Connection } from "./connection.ts";
import { toSeconds } from "./rows.ts";
import type { Writer } from "./writer.ts";

const MAX_NOTED = 500;
const KEPT_STAMPS = 50;
const SLICE = 200;

/** Reads noted in memory and written in batches: a read that waits for the disk is a slow read. */
export class AccessLog {
  readonly #writer: Writer;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #noted: Note[] = [];
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

  note(ids: readonly number[]): void {
    const at = toSeconds(this.#clock.now());
    for (const id of ids) this.#noted.push({ id, at });
    if (this.#noted.length >= MAX_NOTED) void this.flush();
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
    const noted = this.#noted;
    this.#noted = [];
    for (let from = 0; from < noted.length; from += SLICE) {
      const slice = noted.slice(from, from + SLICE);
      try {
        await this.#writer.sweep(async () => this.#write(slice));
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #write(noted: readonly Note[]): void {
    for (const { id, at } of noted) {
      const row = this.#connection.get<{ access_count: number }>(COUNT, at, id);
      if (!row) continue;
      this.#connection.run("INSERT INTO memory_access_log (memory_id, accessed_at) VALUES (?, ?)", id, at);
      if (row.access_count > KEPT_STAMPS) this.#connection.run(PRUNE, id, id, KEPT_STAMPS);
    }
  }
}

const COUNT = `UPDATE memories SET access_count = access_count + 1, last_accessed_at = max(?, coalesce(last_accessed_at, 0))
  WHERE id = ? RETURNING access_count`;
const PRUNE = `DELETE FROM memory_access_log WHERE memory_id = ? AND rowid NOT IN (
  SELECT rowid FROM memory_access_log WHERE memory_id = ? ORDER BY accessed_at DESC LIMIT ?)`;

interface Note {
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
}
