import { setTimeout as sleep } from "node:timers/promises";
import { onceOn } from "@chest/store-postgres/testing";

/** Address of a backend that may be away for a while; undefined while none is known. */
export type Addresses = () => readonly (string | undefined)[];

export interface WritersOptions {
  readonly addresses: Addresses;
  readonly token: string;
  readonly writers: number;
  /** Number of facts after which the writers end; without it they write until they are stopped. */
  readonly most?: number;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;
const REQUEST_MS = 10_000;

/**
 * Starts clients that write facts with idempotency keys, each until a backend has acknowledged it, and recall in
 * between.
 */
export class SteadyWriters {
  /** Acknowledged facts, with their memories. */
  readonly acknowledged = new Map<number, number>();
  /** Refusals by code, except those that ask to retry. */
  readonly refused = new Map<string, number>();
  /** Number of answers that asked to retry, and of requests without an answer. */
  unavailable = 0;
  recallsMs: number[] = [];
  longestGapMs = 0;
  readonly done: Promise<void>;
  readonly #options: WritersOptions;
  #next = 0;
  #isEnding = false;
  #lastAt = Date.now();

  constructor(options: WritersOptions) {
    this.#options = options;
    this.done = Promise.all(Array.from({ length: options.writers }, () => this.#write())).then(() => undefined);
    this.done.catch(() => undefined);
  }

  /** Lets each writer finish its present fact. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.done;
  }

  /** Calls a tool of a backend; undefined where none answers, or where the answer asks to retry. */
  async ask(url: string | undefined, tool: string, input: object, key?: string): Promise<object | undefined> {
    const headers = {
      authorization: `Bearer ${this.#options.token}`,
      "content-type": "application/json",
      "x-chest-project": "host/org/apple",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const init = { method: "POST", headers, body: JSON.stringify(input), signal: AbortSignal.timeout(REQUEST_MS) };
    const answer = await fetch(`${url}/api/tools/${tool}`, init)
      .then((response) => response.json() as Promise<{ result?: object; error?: { code: string } }>)
      .catch(() => undefined);
    const code = answer?.error?.code;
    if (answer === undefined || code === "UNAVAILABLE") this.unavailable += 1;
    else if (code !== undefined) this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    return answer?.result;
  }

  async #write(): Promise<void> {
    const { most = Number.POSITIVE_INFINITY, addresses } = this.#options;
    for (let nth = this.#next++; nth < most && !this.#isEnding; nth = this.#next++) {
      this.acknowledged.set(nth, await this.#remember(nth));
      const now = Date.now();
      this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt);
      this.#lastAt = now;
      if (nth % 4 > 0) continue;
      const urls = addresses();
      if (await this.ask(urls[(nth / 4) % urls.length], "chest_recall", { query: `fact ${nth}` }))
        this.recallsMs.push(Date.now() - now);
    }
  }

  async #remember(nth: number): Promise<number> {
    const { addresses } = this.#options;
    const fact = {
      entity_name: `acme ${nth % 3}`,
      entity_kind: "project",
      layer: "learning",
      content: contentOf(nth),
      // Equal texts would become one memory and hide errors.
      force: true,
    };
    const until = Date.now() + PATIENCE_MS;
    for (let at = nth; Date.now() < until; at++) {
      const urls = addresses();
      const answer = await this.ask(urls[at % urls.length], "chest_remember", fact, `key-${nth}`);
      if (answer) return (answer as { memory_id: number }).memory_id;
      await sleep(PAUSE_MS);
    }
    throw new Error(`fact ${nth} was never acknowledged`);
  }

  /** Compares the acknowledged facts with the rows of a database. */
  async tally(database: string): Promise<{ readonly lost: number; readonly doubled: number }> {
    const rows = await onceOn(database, "SELECT content, id FROM memories");
    const ids = new Map<unknown, unknown[]>();
    for (const { content, id } of rows) ids.set(content, [...(ids.get(content) ?? []), Number(id)]);
    const lost = [...this.acknowledged].filter(([nth, id]) => !ids.get(contentOf(nth))?.includes(id));
    return { lost: lost.length, doubled: [...ids.values()].filter(({ length }) => length > 1).length };
  }
}

const contentOf = (nth: number): string => `fact ${nth} of many`;
