import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, ERRORS, type ErrorCode } from "@chest/contracts";
import { type Batch, embedPending } from "@chest/core/embedding";
import type { Embedder, PendingQueue } from "@chest/core/ports";
import type { ExitCode } from "../terminal/command-context.ts";

export interface DrainOptions {
  readonly queue: PendingQueue;
  readonly embedder: Embedder;
  readonly batchSize: number;
  /** Number of concurrent batches. */
  readonly concurrency: number;
  /** Retries for a busy backend; twice by default. */
  readonly maxRetry?: number | undefined;
  /** Called after each batch, to show progress. */
  readonly onProgress: (done: number, remaining: number, perSecond: number) => void;
  /** Time to wait for rows that other processes have claimed, counted from the last finished row. */
  readonly patienceMs?: number | undefined;
}

/** Outcome of a run, printed by `--json`. */
export interface DrainReport {
  readonly started_at: string;
  readonly finished_at: string;
  readonly batches: readonly BatchReport[];
  readonly total_processed: number;
  /** Number of texts that are longer than the model reads; their vectors cover only the beginning. */
  readonly total_cut: number;
  readonly total_skipped: number;
  readonly total_failed: number;
  /** Null when the backend did not tell. */
  readonly remaining: number | null;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly exit_code: ExitCode;
}

interface BatchReport {
  readonly batch_index: number;
  readonly memory_ids: readonly number[];
  readonly succeeded: number;
  readonly cut: readonly number[];
  readonly skipped: readonly { readonly id: number; readonly reason: string }[];
  readonly failed: readonly { readonly id: number; readonly error: string }[];
  readonly duration_ms: number;
}

// Longer than a claim of a killed client or of the writer lasts.
const PATIENCE_MS = 90_000;
const ASK_AGAIN_MS = 1_000;

/**
 * Embeds the whole queue, waits for rows claimed by others, and reports. The report includes a failure of the whole
 * run.
 */
export async function drain(options: DrainOptions): Promise<{ report: DrainReport; error?: ChestError }> {
  const { queue, embedder, batchSize, concurrency, maxRetry = 2, onProgress, patienceMs = PATIENCE_MS } = options;
  const { identity } = embedder;
  if (!identity) throw new Error("an embedder without an identity cannot drain");
  const startedAt = new Date();
  const claimant = randomUUID();
  const batches: BatchReport[] = [];
  const tried = new Set<number>();
  const stopping = new AbortController();
  const held = heldRows(patientQueue(queue, maxRetry, stopping.signal));
  let done = 0;
  let lastDoneAt = performance.now();
  const beganAt = lastDoneAt;

  const onBatch = (batch: Batch) => {
    batches.push(reportOf(batch, batches.length));
    for (const { id } of [...batch.failed, ...batch.skipped]) tried.add(id);
    done += batch.stored.length;
    if (batch.stored.length > 0) lastDoneAt = performance.now();
    held.done(batch.stored);
    const refusal = batch.failed.find(({ error }) => OF_THE_CLIENT.has(error.code));
    if (refusal) stopping.abort(refusal.error);
    onProgress(done, batch.remaining, (1000 * done) / (performance.now() - beganAt));
  };
  const count = async () => {
    const nothing = Number.MAX_SAFE_INTEGER;
    return (await queue.claim({ identity, cursor: nothing, limit: 1, leaseMs: 5000, claimant })).remaining;
  };

  let remaining: number | null = null;
  let error: ChestError | undefined;
  try {
    for (;;) {
      const ended = await together(
        Array.from({ length: concurrency }, () =>
          embedPending(held.queue, embedder, { claimant, batchSize, onBatch, signal: stopping.signal }),
        ),
        stopping,
      );
      remaining = await count();
      if (ended.includes("no_vectors")) throw await noVectors(embedder);
      // The remaining rows were refused, or are claimed by other clients, which may have been killed.
      if (remaining <= tried.size || performance.now() - lastDoneAt > patienceMs) break;
      await sleep(ASK_AGAIN_MS);
    }
  } catch (reason) {
    if (!(reason instanceof ChestError)) throw reason;
    error = reason;
    remaining = null;
  } finally {
    // Rows that are not released would stay claimed until the lease ends.
    await held.release(claimant);
  }
  remaining ??= await count().catch(() => null);
  const total = (kind: "cut" | "skipped" | "failed") => batches.reduce((sum, batch) => sum + batch[kind].length, 0);
  const report: DrainReport = {
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    batches,
    total_processed: done,
    total_cut: total("cut"),
    total_skipped: total("skipped"),
    total_failed: total("failed"),
    remaining,
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    exit_code: error || total("failed") > 0 ? 2 : total("skipped") > 0 || remaining !== 0 ? 1 : 0,
  };
  return { report, ...(error ? { error } : {}) };
}

/** Errors that concern this client and not one memory: nothing can be stored until its token or release changes. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set<ErrorCode>(["UNAUTHORIZED", "FORBIDDEN", "CLIENT_TOO_OLD"]);

/** Waits for all; the first failure stops the others and is thrown. */
async function together<T>(lanes: readonly Promise<T>[], stopping: AbortController): Promise<T[]> {
  for (const lane of lanes) lane.catch((reason: unknown) => stopping.abort(reason));
  await Promise.allSettled(lanes);
  stopping.signal.throwIfAborted();
  return Promise.all(lanes);
}

/** Wraps a queue and tracks the rows that are claimed and have no vector yet. */
function heldRows(queue: PendingQueue) {
  const held = new Set<number>();
  const done = (ids: readonly number[]) => {
    for (const id of ids) held.delete(id);
  };
  return {
    done,
    queue: {
      ...queue,
      async claim(request) {
        const claimed = await queue.claim(request);
        for (const { id } of claimed.items) held.add(id);
        return claimed;
      },
      async release(claimant, ids) {
        await queue.release(claimant, ids);
        done(ids);
      },
    } satisfies PendingQueue,
    async release(claimant: string): Promise<void> {
      // If the release fails, the lease frees the rows a minute later.
      if (held.size > 0) await queue.release(claimant, [...held]).catch(() => {});
    },
  };
}

const reportOf = ({ ids, stored, cut, skipped, failed, ms }: Batch, index: number): BatchReport => ({
  batch_index: index,
  memory_ids: ids,
  succeeded: stored.length,
  cut,
  skipped,
  failed: failed.map(({ id, error }) => ({ id, error: error.code })),
  duration_ms: Math.round(ms),
});

async function noVectors(embedder: Embedder): Promise<ChestError> {
  const state = await embedder.state();
  const { message, hint } = state.isUsable
    ? { message: "the model gives no vectors", hint: "`chest-index fetch-model --verify` checks its files" }
    : state;
  return new ChestError("UNAVAILABLE", message, { hint });
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/**
 * Wraps a queue so that calls are repeated until the signal aborts when the backend is busy; a refusal is not repeated.
 */
function patientQueue(queue: PendingQueue, maxRetry: number, signal: AbortSignal): PendingQueue {
  async function again<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof ChestError) || ERRORS[error.code].retry === "no" || attempt > maxRetry) throw error;
        await sleep(pauseMs(error, attempt), undefined, { signal }).catch(() => {});
        if (signal.aborted) throw error;
      }
    }
  }
  return {
    claim: (ask) => again(() => queue.claim(ask)),
    store: (identity, pushes) => again(() => queue.store(identity, pushes)),
    release: (claimant, ids) => queue.release(claimant, ids),
  };
}

function pauseMs({ details }: ChestError, attempt: number): number {
  const request = details?.retry_after_ms;
  const backoff = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(MAX_PAUSE_MS, typeof request === "number" ? request : backoff);
}
