import type { Connection } from "./connection.ts";
import { busy, isOfTextIndex, lookedThrough, readable, shuttingDown, sqliteCode } from "./sqlite-errors.ts";

/** Turn of one piece of work; it ends when the work settles. */
export class Turn {
  /** Sequence number of the write. */
  readonly seq: number;
  readonly deferred: (() => void)[] = [];
  isOver = false;

  constructor(seq: number) {
    this.seq = seq;
  }

  /** Runs a task after all work of this commit and before the commit, for tasks that are cheaper together. */
  defer(task: () => void): void {
    this.deferred.push(task);
  }
}

/** Work that runs alone, inside a transaction. */
export type Work<T> = (turn: Turn) => Promise<T>;

interface Job {
  readonly work: Work<unknown>;
  readonly queuedAt: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Outcome {
  readonly job: Job;
  readonly deferred: readonly (() => void)[];
  readonly value?: unknown;
  readonly error?: unknown;
}

const MAX_WAIT_MS = 5000;
const MAX_WORK_MS = 5000;
const MAX_QUEUED = 4096;
const MAX_PER_COMMIT = 128;
// Another process's lock is awaited in slices, so that the event loop continues in between.
const LOCK_SLICE_MS = 20;
// Under constant load a sweep runs after this time; its slices are short, so it takes at most a tenth of the time.
const SWEEP_PATIENCE_MS = 100;
const IMPATIENT_EVERY_MS = 100;

/**
 * The only writer. Waiting calls share a commit, each in its own savepoint; answers leave after the commit. Sweeps wait
 * until no call waits, or for a tenth of a second.
 */
export class Writer {
  readonly #connection: Connection;
  readonly #calls: Job[] = [];
  readonly #sweeps: Job[] = [];
  readonly #between: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;
  /** Since it was opened. */
  commits = 0;
  writes = 0;
  #halted: Error | undefined;
  #held: Promise<void> | undefined;
  /** Called when a write fails because of the full-text index. */
  onIndexTrouble: (() => void) | undefined;
  /** Called after each commit and before its callers are answered; an error refuses all of them. */
  assertKept: (() => void) | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  call<T>(work: Work<T>): Promise<T> {
    if (this.#calls.length >= MAX_QUEUED) return Promise.reject(busy());
    return this.#queue(this.#calls, work);
  }

  /** Runs background work, in small pieces. */
  sweep<T>(work: Work<T>): Promise<T> {
    return this.#queue(this.#sweeps, work);
  }

  /** Runs synchronous work on the connection while no transaction is open. */
  between<T>(work: () => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(shuttingDown());
    return new Promise<T>((resolve, reject) => {
      this.#between.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(readable(error));
        }
      });
      this.#running ??= this.#drain();
    });
  }

  /** Refuses all waiting and future writes with this reason. */
  halt(reason: Error): void {
    this.#halted ??= reason;
    for (const job of [...this.#calls.splice(0), ...this.#sweeps.splice(0)]) job.reject(this.#halted);
  }

  /** Pauses writes until the promise settles. A call that waits longer than this is told to retry. */
  hold(until: Promise<unknown>, patienceMs: number): void {
    const impatient = setInterval(() => this.#refuse(patienceMs), IMPATIENT_EVERY_MS).unref();
    const over = () => {
      clearInterval(impatient);
      this.#held = undefined;
      this.#calls.splice(0, Number.POSITIVE_INFINITY, ...this.#calls.map((job) => ({ ...job, queuedAt: Date.now() })));
    };
    this.#held = until.then(over, over);
  }

  #refuse(patienceMs: number): void {
    const waiting = this.#calls.findIndex(({ queuedAt }) => Date.now() - queuedAt < patienceMs);
    for (const job of this.#calls.splice(0, waiting < 0 ? this.#calls.length : waiting)) job.reject(lookedThrough());
  }

  /** Number of calls that wait for their commit. */
  get waiting(): number {
    return this.#calls.length;
  }

  /** Finishes accepted work and accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  #queue<T>(lane: Job[], work: Work<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(shuttingDown());
    if (this.#halted) return Promise.reject(this.#halted);
    return new Promise<T>((resolve, reject) => {
      lane.push({ work, queuedAt: Date.now(), resolve: resolve as Job["resolve"], reject });
      this.#running ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    await this.#held;
    while (this.#calls.length + this.#sweeps.length + this.#between.length > 0) {
      // Writes of the same turn of the event loop share a commit.
      await new Promise((resolve) => setImmediate(resolve));
      for (const work of this.#between.splice(0)) work();
      const batch = this.#take();
      if (batch.length > 0) await this.#commit(batch);
    }
    this.#running = undefined;
  }

  #take(): Job[] {
    const [sweep] = this.#sweeps;
    if (sweep && sweep.queuedAt < Date.now() - SWEEP_PATIENCE_MS) return this.#sweeps.splice(0, 1);
    const oldest = Date.now() - MAX_WAIT_MS;
    const batch: Job[] = [];
    for (const job of this.#calls.splice(0, MAX_PER_COMMIT)) {
      if (job.queuedAt < oldest) job.reject(busy());
      else batch.push(job);
    }
    return batch.length > 0 ? batch : this.#sweeps.splice(0, 1);
  }

  async #commit(batch: readonly Job[]): Promise<void> {
    const { db } = this.#connection;
    let outcomes: Outcome[] = [];
    try {
      await this.#begin();
      for (const job of batch) outcomes.push(batch.length === 1 ? await this.#runAlone(job) : await this.#run(job));
      for (const { deferred } of outcomes) for (const task of deferred) task();
      this.#connection.run("COMMIT");
      this.commits += 1;
      this.writes += outcomes.length;
      this.assertKept?.();
    } catch (error) {
      if (db.inTransaction) this.#connection.run("ROLLBACK");
      if (isOfTextIndex(error)) this.onIndexTrouble?.();
      outcomes = batch.map((job) => ({ job, deferred: [], error: readable(error) }));
    }
    for (const outcome of outcomes) {
      if ("error" in outcome) outcome.job.reject(outcome.error);
      else outcome.job.resolve(outcome.value);
    }
  }

  /** Runs the only job of a transaction, without a savepoint: an error rolls the transaction back. */
  async #runAlone(job: Job): Promise<Outcome> {
    const turn = new Turn(this.#nextSeq());
    try {
      return { job, deferred: turn.deferred, value: await withDeadline(job.work(turn)) };
    } finally {
      turn.isOver = true;
    }
  }

  /** Runs one job in its savepoint. Throws only if the whole transaction is lost. */
  async #run(job: Job): Promise<Outcome> {
    this.#connection.run("SAVEPOINT job");
    let turn: Turn | undefined;
    try {
      turn = new Turn(this.#nextSeq());
      const value = await withDeadline(job.work(turn));
      this.#connection.run("RELEASE job");
      return { job, deferred: turn.deferred, value };
    } catch (error) {
      // A full disk rolls back all writes of the transaction, so none is reported as done.
      if (!this.#connection.db.inTransaction) throw error;
      this.#connection.run("ROLLBACK TO job");
      this.#connection.run("RELEASE job");
      if (isOfTextIndex(error)) this.onIndexTrouble?.();
      return { job, deferred: [], error: readable(error) };
    } finally {
      if (turn) turn.isOver = true;
    }
  }

  /** Writes before reading, so that transactions of several processes queue instead of failing. */
  #nextSeq(): number {
    return nextSeq(this.#connection);
  }

  async #begin(): Promise<void> {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      try {
        this.#connection.run("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!sqliteCode(error)?.startsWith("SQLITE_BUSY") || Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOCK_SLICE_MS));
      }
    }
  }
}

/** The next number among all writes to this store. */
export function nextSeq(connection: Pick<Connection, "get">): number {
  const sql = "UPDATE meta SET value = value + 1 WHERE key = 'seq' RETURNING CAST(value AS INTEGER) AS seq";
  const row = connection.get<{ seq: number }>(sql);
  if (!row) throw new Error("the store has no sequence number");
  return row.seq;
}

/** Rolls back a transaction that waits for something else than its own statements. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("a transaction took too long")), MAX_WORK_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
