import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError } from "@chest/contracts";
import { type Batch, type Embedder, embedPending, type PendingQueue } from "@chest/core";
import type { ExitCode } from "../shell.ts";

export interface DrainOptions {
  readonly queue: PendingQueue;
  readonly embedder: Embedder;
  readonly batchSize: number;
  /** How many batches are under way at once. */
  readonly concurrency: number;
  /** Hears of each batch, for a person. */
  readonly onProgress: (done: number, remaining: number, perSecond: number) => void;
  /** How long rows that others are at are waited for, since the last one was done. */
  readonly patienceMs?: number | undefined;
}

/** What a run has done: the document of `--json`. */
export interface DrainReport {
  readonly started_at: string;
  readonly finished_at: string;
  readonly batches: readonly BatchReport[];
  readonly total_processed: number;
  /** Of these: longer than the model reads, so that the vector is that of their beginning. */
  readonly total_cut: number;
  readonly total_skipped: number;
  readonly total_failed: number;
  readonly remaining: number;
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

// A little more than the longest that a killed client's rows, or a writer's, are anybody else's.
const PATIENCE_MS = 90_000;
const ASK_AGAIN_MS = 1_000;

/** Drains a queue to its end, waits for what others are at, and reports. A failure of the whole is in the report. */
export async function drain(options: DrainOptions): Promise<{ report: DrainReport; error?: ChestError }> {
  const { queue, embedder, batchSize, concurrency, onProgress, patienceMs = PATIENCE_MS } = options;
  const { identity } = embedder;
  if (!identity) throw new Error("an embedder without an identity cannot drain");
  const startedAt = new Date();
  const claimant = randomUUID();
  const batches: BatchReport[] = [];
  const tried = new Set<number>();
  let done = 0;
  let lastDoneAt = performance.now();
  const beganAt = lastDoneAt;

  const onBatch = (batch: Batch) => {
    batches.push(reportOf(batch, batches.length));
    for (const { id } of [...batch.failed, ...batch.skipped]) tried.add(id);
    done += batch.stored.length;
    if (batch.stored.length > 0) lastDoneAt = performance.now();
    onProgress(done, batch.remaining, (1000 * done) / (performance.now() - beganAt));
  };
  const count = async () => {
    const nothing = Number.MAX_SAFE_INTEGER;
    return (await queue.claim({ identity, cursor: nothing, limit: 1, leaseMs: 5000, claimant })).remaining;
  };

  let remaining = 0;
  let error: ChestError | undefined;
  try {
    for (;;) {
      const lanes = Array.from({ length: concurrency }, () =>
        embedPending(queue, embedder, { claimant, batchSize, onBatch, signal: new AbortController().signal }),
      );
      const ended = await Promise.all(lanes);
      remaining = await count();
      if (ended.includes("no_vectors")) throw await noVectors(embedder);
      // What is left was refused already, or is held by others: their writers, or clients that may have been killed.
      if (remaining <= tried.size || performance.now() - lastDoneAt > patienceMs) break;
      await sleep(ASK_AGAIN_MS);
    }
  } catch (reason) {
    if (!(reason instanceof ChestError)) throw reason;
    error = reason;
  }
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
    exit_code: error || total("failed") > 0 ? 2 : total("skipped") > 0 || remaining > 0 ? 1 : 0,
  };
  return { report, ...(error ? { error } : {}) };
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
    ? { message: "the model gives no vectors", hint: "`chest-index fetch-model --verify` looks through its files" }
    : state;
  return new ChestError("UNAVAILABLE", message, { hint });
}
