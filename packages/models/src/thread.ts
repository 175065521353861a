import { Worker } from "node:worker_threads";
import type { EmbedderState } from "@chest/core/ports";
import type { Result, Start, Work, WorkerMessage, WorkerRequest } from "./protocol.ts";

/** A model that does not load is not tried again for this long: each try may cost seconds and gigabytes. */
const RETRY_AFTER_MS = 60_000;
/** Every recall asks for a vector: where no model lies, the disk is looked at this often. */
const LOOK_AGAIN_MS = 1000;
const IDLE_MS = 15 * 60_000;
/** Time for the current batch to end: stopping the runtime while it computes crashes the whole process. */
const END_MS = 20_000;

export interface ThreadOptions {
  /** Memory is given back after so long without work. */
  readonly idleMs?: number | undefined;
  /** Pause before a model that failed to load is tried again. */
  readonly retryAfterMs?: number | undefined;
  /** Gets a line when a model is loaded, fails to load or is unloaded. */
  readonly log?: ModelLog | undefined;
}

export interface ModelLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface PendingWork {
  resolve(result: Result | undefined): void;
}

interface RunningModel {
  readonly worker: Worker;
  readonly jobs: Map<number, PendingWork>;
  readonly startedAt: number;
  isLoaded: boolean;
  idle: NodeJS.Timeout | undefined;
}

export type Unusable = Exclude<EmbedderState, { isUsable: true }>;

/** A model that a thread can run. */
export interface ThreadModel {
  readonly id: string;
  readonly start: Start;
  /** Size in megabytes of the heap for short-lived objects; undefined: Node's default, which is tens. */
  readonly youngMb?: number;
  /** Tells what is missing for it to run, if anything. Loads nothing. */
  lookForIt(): Promise<Unusable | undefined>;
  /** State of one that did not load. */
  failed(reason: string, isLibraryMissing: boolean): Unusable;
}

interface Failure {
  readonly at: number;
  readonly state: Unusable;
}

/** A model in a thread of its own, started by the first work and ended when there was none for a while. */
export class ModelThread {
  readonly #options: ThreadOptions;
  readonly #model: ThreadModel;
  #running: RunningModel | undefined;
  #failure: Failure | undefined;
  #absence: Failure | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(model: ThreadModel, options: ThreadOptions) {
    this.#model = model;
    this.#options = options;
  }

  async state(): Promise<EmbedderState> {
    if (this.#running?.isLoaded) return { isUsable: true };
    if (this.#absence && performance.now() - this.#absence.at < LOOK_AGAIN_MS) return this.#absence.state;
    const state = await this.#model.lookForIt();
    this.#absence = state && { at: performance.now(), state };
    return state ?? this.#recentFailure()?.state ?? { isUsable: true };
  }

  /** Undefined when the model cannot be had, fails, or the signal comes first. */
  async ask(work: Work, signal: AbortSignal): Promise<Result | undefined> {
    if (this.#isClosed || signal.aborted) return undefined;
    if (!this.#running && !(await this.state()).isUsable) return undefined;
    if (this.#isClosed || signal.aborted) return undefined;
    this.#running ??= this.#start();
    return this.#give(this.#running, work, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  #give(running: RunningModel, work: Work, signal: AbortSignal): Promise<Result | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    clearTimeout(running.idle);
    return new Promise((resolve) => {
      const settle = (result: Result | undefined) => {
        signal.removeEventListener("abort", abandon);
        running.jobs.delete(id);
        if (running.jobs.size === 0) running.worker.unref();
        this.#rest(running);
        resolve(result);
      };
      const abandon = () => {
        running.worker.postMessage({ id, isCancelled: true });
        settle(undefined);
      };
      signal.addEventListener("abort", abandon, { once: true });
      running.jobs.set(id, { resolve: settle });
      // A program that waits for nothing else must not end for want of work; one that waits for nothing may.
      running.worker.ref();
      running.worker.postMessage({ id, ...work });
    });
  }

  #start(): RunningModel {
    // A library's words must not stand between an agent and its protocol on stdout.
    const worker = new Worker(workerFile(), {
      workerData: this.#model.start,
      stdout: true,
      stderr: true,
      ...(this.#model.youngMb === undefined
        ? {}
        : { resourceLimits: { maxYoungGenerationSizeMb: this.#model.youngMb } }),
    });
    const running: RunningModel = {
      worker,
      jobs: new Map(),
      startedAt: performance.now(),
      isLoaded: false,
      idle: undefined,
    };
    worker.on("message", (message: WorkerMessage) => this.#hear(running, message));
    worker.on("error", (error: Error) => this.#fail(running, error.message));
    worker.on("exit", () => this.#fail(running, "its thread ended"));
    worker.unref();
    return running;
  }

  #hear(running: RunningModel, message: WorkerMessage): void {
    if ("loaded" in message) {
      running.isLoaded = true;
      this.#failure = undefined;
      const ms = Math.round(performance.now() - running.startedAt);
      this.#options.log?.info({ model: this.#model.id, ms }, "model loaded");
      return;
    }
    if ("failed" in message) {
      this.#fail(running, message.failed, message.isLibraryMissing);
      return;
    }
    if ("error" in message)
      this.#options.log?.warn({ model: this.#model.id, error: message.error }, "model failed on a text");
    running.jobs.get(message.id)?.resolve("error" in message ? undefined : message);
  }

  /** The thread is of no more use. */
  #fail(running: RunningModel, reason: string, isLibraryMissing = false): void {
    if (this.#running !== running) return;
    this.#failure = { at: performance.now(), state: this.#model.failed(reason, isLibraryMissing) };
    this.#options.log?.warn({ model: this.#model.id, reason }, "model does not load; trying again later");
    void this.#end();
  }

  #recentFailure(): Failure | undefined {
    const { retryAfterMs = RETRY_AFTER_MS } = this.#options;
    const failure = this.#failure;
    return failure && performance.now() - failure.at < retryAfterMs ? failure : undefined;
  }

  /** Idle for a while: the memory is worth more than a quick answer. */
  #rest(running: RunningModel): void {
    if (running.jobs.size > 0 || this.#running !== running) return;
    const { idleMs = IDLE_MS, log } = this.#options;
    clearTimeout(running.idle);
    running.idle = setTimeout(() => {
      log?.info({ model: this.#model.id }, "model unloaded: nothing to do");
      void this.#end();
    }, idleMs).unref();
  }

  async #end(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    clearTimeout(running.idle);
    for (const { resolve } of [...running.jobs.values()]) resolve(undefined);
    const { worker } = running;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.ref();
    worker.postMessage({ isLast: true } satisfies WorkerRequest);
    const late = setTimeout(() => void worker.terminate(), END_MS);
    await ended;
    clearTimeout(late);
  }
}

/** The source as it lies here, or the file the bundle made of it. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./model-worker.js", import.meta.url);
}
