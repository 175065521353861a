import { setTimeout as sleep } from "node:timers/promises";
import { SearchTimeout } from "@chest/core/ports";
import type { Connections, Piped } from "./connection.ts";
import { busy, fateUnknown, isLostConnection, isLostRace, late, readable } from "./errors.ts";

const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 10;
const PATIENCE_MS = 5000;

/** Limits the concurrent transactions of one process; the others queue briefly. */
export class Writer {
  readonly #connections: Connections;
  readonly #most: number;
  readonly #patienceMs: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  /** Since it was opened. */
  commits = 0;

  /** @param most concurrent transactions; the other connections are for reading. */
  constructor(connections: Connections, most: number, patienceMs = PATIENCE_MS) {
    this.#connections = connections;
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Runs work in a transaction, and again after a conflict or a connection lost before the commit.
   * @param isKeyed the work has an idempotency key, so it may also run again if the result of a commit is unknown
   */
  async write<T>(work: (tx: Piped) => Promise<T>, isKeyed = false): Promise<T> {
    await this.#enter();
    try {
      return await this.#tried(work, isKeyed);
    } finally {
      this.#leave();
    }
  }

  async #tried<T>(work: (tx: Piped) => Promise<T>, isKeyed: boolean): Promise<T> {
    for (let tries = 1; ; tries++) {
      let isCommitting = false;
      try {
        const value = await this.#connections.transaction(work, () => {
          isCommitting = true;
        });
        this.commits += 1;
        return value;
      } catch (error) {
        const isLost = isLostConnection(error);
        if (isCommitting && isLost && !isKeyed) throw fateUnknown(error);
        if (tries === MOST_TRIES || !(isLost || isLostRace(error))) throw inWords(error);
        // Random pauses, so that two conflicting transactions do not meet again.
        await sleep(FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random()) * (isLost ? 5 : 1));
      }
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#most) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(busy());
      }, this.#patienceMs);
      this.#queue.push(enter);
    });
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

function inWords(error: unknown): unknown {
  const read = readable(error);
  return read instanceof SearchTimeout ? late(error) : read;
}
