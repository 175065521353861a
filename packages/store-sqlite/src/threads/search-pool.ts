import { Worker } from "node:worker_threads";
import { ChestError } from "@chest/contracts";
import { type SearchListener, SearchTimeout } from "@chest/core/ports";
import type { AskQuery } from "@chest/store/queries/queries";
import { readable } from "../database/sqlite-errors.ts";
import type { Share } from "../vector-index/vector-index.ts";
import type { Reply } from "./answer-messages.ts";
import { askToEnd } from "./end-worker.ts";
import type { Message, Op, Requests, ThreadData } from "./search-protocol.ts";

// Limits the heap, because garbage is collected late while there is room: with the default limit two threads over a
// million memories held 300 MB of garbage.
const RESOURCES = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
const MAX_QUEUED = 512;
/** A thread without an answer after this many deadlines is replaced; a new one also needs time to start. */
const STUCK_AFTER = 10;
const STUCK_AT_LEAST_MS = 2000;

export interface PoolOptions {
  readonly path: string;
  readonly threads: number;
  readonly timeoutMs: number;
  /** Source of the threads' shares of the vector index; without it all vectors are compared. */
  readonly vectors?: Shares | undefined;
  /** Number of rows that a search ranks before further terms are skipped. */
  readonly rankedRows?: number | undefined;
  /** Number of visible rows above which a sample tells how frequent the frequent terms are. */
  readonly sampledFrom?: number | undefined;
}

/** Search of an engine, with or without threads. */
export interface Searcher {
  /** Called when a request is settled. */
  onSettled: SearchListener | undefined;
  readonly load: { readonly threads: number; readonly busy: number; readonly waiting: number };
  /** Starts what the first request would start. */
  warm(): void;
  ask<K extends Op>(op: K, asks: Requests[K]["asks"], patience?: number): Promise<Requests[K]["gives"]>;
  close(): Promise<void>;
}

export interface Shares {
  enter(): Share | undefined;
  leave(share: Share): void;
}

interface PendingSearch {
  readonly message: Message;
  readonly askedAt: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  deadline: NodeJS.Timeout | undefined;
}

interface Thread {
  readonly worker: Worker;
  readonly share: Share | undefined;
  job: PendingSearch | undefined;
  stuck: NodeJS.Timeout | undefined;
}

/**
 * Pool of search threads; each runs one query at a time, in order. A thread starts when all others are busy, so a
 * program without searches starts none.
 */
export class SearchPool implements Searcher {
  readonly #options: PoolOptions;
  readonly #threads: Thread[] = [];
  readonly #waiting: PendingSearch[] = [];
  onSettled: SearchListener | undefined;
  #lastId = 0;
  #pausing = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Starts every thread, so that no query waits for a start. */
  warm(): void {
    while (this.#hasRoom) this.#start();
  }

  /**
   * Rejects with `SearchTimeout` past the deadline, and at once with `UNAVAILABLE` when too many wait.
   * @param patience factor of the deadline, for what is more than one search
   */
  ask<K extends Op>(op: K, asks: Requests[K]["asks"], patience = 1): Promise<Requests[K]["gives"]> {
    if (this.#isClosed || this.#waiting.length >= MAX_QUEUED) return Promise.reject(full());
    this.#lastId += 1;
    const message: Message<K> = { id: this.#lastId, op, asks };
    return new Promise((resolve, reject) => {
      const job: PendingSearch = {
        message,
        askedAt: performance.now(),
        resolve: resolve as PendingSearch["resolve"],
        reject,
        deadline: undefined,
      };
      job.deadline = setTimeout(() => this.#giveUp(job), patience * this.#options.timeoutMs);
      this.#waiting.push(job);
      this.#next();
    });
  }

  get load(): { readonly threads: number; readonly busy: number; readonly waiting: number } {
    const busy = this.#threads.filter(({ job }) => job).length;
    return { threads: this.#options.threads, busy, waiting: this.#waiting.length };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) this.#settle(job, { error: full() });
    await Promise.all(this.#threads.splice(0).map((thread) => this.#stop(thread)));
  }

  get #hasRoom(): boolean {
    return !this.#isClosed && this.#threads.length + this.#pausing < this.#options.threads;
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const thread = this.#threads.find(({ job }) => !job) ?? (this.#hasRoom ? this.#start() : undefined);
    const job = thread && this.#waiting.shift();
    if (!thread || !job) return;
    thread.job = job;
    const stuckMs = Math.max(STUCK_AFTER * this.#options.timeoutMs, STUCK_AT_LEAST_MS);
    thread.stuck = setTimeout(() => this.#replace(thread), stuckMs);
    thread.stuck.unref();
    thread.worker.postMessage(job.message);
  }

  #start(): Thread {
    const share = this.#options.vectors?.enter();
    const { path, rankedRows, sampledFrom } = this.#options;
    const worker = new Worker(workerFile(), {
      workerData: { path, share, rankedRows, sampledFrom } satisfies ThreadData,
      resourceLimits: RESOURCES,
    });
    const thread: Thread = { worker, share, job: undefined, stuck: undefined };
    worker.on("message", (reply: Reply) => this.#answered(thread, reply));
    worker.on("error", () => this.#replace(thread));
    worker.unref();
    this.#threads.push(thread);
    return thread;
  }

  #answered(thread: Thread, { gives, error }: Reply): void {
    const { job } = thread;
    clearTimeout(thread.stuck);
    thread.job = undefined;
    if (job)
      this.#settle(job, error ? { error: readable(Object.assign(new Error(error.message), error)) } : { value: gives });
    this.#next();
  }

  /** The answer is no longer needed, but the thread finishes its query. */
  #giveUp(job: PendingSearch): void {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#settle(job, { error: new SearchTimeout() });
  }

  #replace(thread: Thread): void {
    const at = this.#threads.indexOf(thread);
    if (at < 0 || this.#isClosed) return;
    this.#threads.splice(at, 1);
    void this.#stop(thread);
    // Pauses, so that a thread that cannot start is not restarted in a loop.
    this.#pausing += 1;
    setTimeout(() => {
      this.#pausing -= 1;
      if (this.#hasRoom) this.#start();
      this.#next();
    }, 200).unref();
  }

  #settle(job: PendingSearch, outcome: { readonly value: unknown } | { readonly error: unknown }): void {
    clearTimeout(job.deadline);
    this.onSettled?.(job.message.op, outcomeOf(outcome), (performance.now() - job.askedAt) / 1000);
    if ("error" in outcome) job.reject(outcome.error);
    else job.resolve(outcome.value);
  }

  async #stop({ worker, share, stuck, job }: Thread): Promise<void> {
    clearTimeout(stuck);
    if (job) this.#settle(job, { error: ended() });
    await askToEnd(worker);
    if (share) this.#options.vectors?.leave(share);
  }
}

const outcomeOf = (outcome: { readonly value: unknown } | { readonly error: unknown }) =>
  "error" in outcome ? (outcome.error instanceof SearchTimeout ? "late" : "failed") : "ok";

/** File of the worker: the source, or the bundled file. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./search-worker.ts" : "./search-worker.js", import.meta.url);
}

const full = () =>
  new ChestError("UNAVAILABLE", "too many searches are waiting", {
    hint: "try again after the delay given",
    details: { retry_after_ms: 1000 },
  });

const ended = () =>
  new ChestError("UNAVAILABLE", "the search thread has ended", {
    hint: "try again: another one is started",
    details: { retry_after_ms: 1000 },
  });

/** Turns a missed deadline into a refusal, for queries without an alternative. */
export async function refuseOnTimeout<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (!(error instanceof SearchTimeout)) throw error;
    throw new ChestError("UNAVAILABLE", "this search took longer than its limit", {
      hint: "ask for less at a time, or try again after the delay given",
      details: { retry_after_ms: 2000 },
      cause: error,
    });
  }
}

/** Runs the shared queries in the threads of a pool. */
export const queriesOf =
  (pool: Pick<Searcher, "ask">): AskQuery =>
  (name, ...values) =>
    refuseOnTimeout(pool.ask(name, values as never)) as never;
