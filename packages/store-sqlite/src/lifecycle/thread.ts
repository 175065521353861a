import { Worker } from "node:worker_threads";
import { ChestError } from "@chest/contracts";
import type { DueName, DueQuery, DueResult } from "@chest/store/lifecycle/due";
import { readable } from "../database/sqlite-errors.ts";
import type { Reply } from "../threads/answer-messages.ts";
import { askToEnd } from "../threads/end-worker.ts";

const IDLE_MS = 10_000;

export interface Message<K extends DueName = DueName> {
  readonly id: number;
  readonly name: K;
  readonly asked: DueQuery<K>;
}

interface PendingQuestion {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Finds the work of passes in a thread with a read-only connection, so that neither the event loop nor searches wait.
 * Started on demand, and stopped after idle time.
 */
export class LifecycleThread {
  readonly #path: string;
  readonly #waiting = new Map<number, PendingQuestion>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  ask<K extends DueName>(name: K, query: DueQuery<K>): Promise<DueResult<K>> {
    if (this.#isClosed) return Promise.reject(closing());
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as PendingQuestion["resolve"], reject });
      worker.postMessage({ id, name, asked: query } satisfies Message<K>);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#stop(closing());
  }

  #start(): Worker {
    const worker = new Worker(workerFile(), { workerData: { path: this.#path } });
    worker.on("message", (reply: Reply) => this.#answered(reply));
    worker.on("error", (error) => void this.#stop(error));
    this.#worker = worker;
    return worker;
  }

  #answered({ id, gives, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(readable(Object.assign(new Error(error.message), error)));
    else waiting?.resolve(gives);
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.#stop(closing()), IDLE_MS);
    this.#idle.unref();
  }

  async #stop(reason: unknown): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    if (worker) await askToEnd(worker);
  }
}

/** File of the worker: the source, or the bundled file. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./lifecycle-worker.js", import.meta.url);
}

const closing = () =>
  new ChestError("UNAVAILABLE", "the store is being closed", {
    hint: "try again after the delay given",
    details: { retry_after_ms: 2000 },
  });
