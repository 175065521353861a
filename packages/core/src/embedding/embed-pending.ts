import { setTimeout as sleep } from "node:timers/promises";
import type { Embedder } from "../ports/embedder.ts";
import type { PendingQueue } from "../ports/pending.ts";
import { type Embedded, embedTexts } from "./embed-texts.ts";

export interface EmbedPendingOptions {
  /** Unique name of this embedder, under which it claims rows. */
  readonly claimant: string;
  readonly signal: AbortSignal;
  /** Most rows in a batch. */
  readonly batchSize?: number | undefined;
  /** Most rows in all. */
  readonly limit?: number | undefined;
  /** Pause per unit of working time, so that other work gets processor time. */
  readonly rest?: number | undefined;
  readonly onBatch?: ((batch: Batch) => void) | undefined;
}

export interface Batch extends Embedded {
  readonly ids: readonly number[];
  readonly remaining: number;
  readonly ms: number;
}

/** Reason for the end: nothing more to claim, the limit, no model, or a stop. */
export type Ended = "done" | "limit" | "no_vectors" | "stopped";

const FIRST_BATCH = 16;
const MAX_BATCH = 200;
// Target time of a batch: long enough for one request, short enough that rows of a killed client are soon free again.
const AIM_MS = 1500;
const LEASE_PER_BATCH = 8;
const MIN_LEASE_MS = 10_000;
const MAX_LEASE_MS = 300_000;
const FIRST_LEASE_MS = 60_000;

/**
 * Embeds all pending texts, in batches that the model finishes in a second or two, and releases rows that it cannot
 * embed. Several processes may drain one queue: a row is claimed by one of them.
 */
export async function embedPending(
  queue: PendingQueue,
  embedder: Embedder,
  { claimant, signal, batchSize = MAX_BATCH, limit = Number.POSITIVE_INFINITY, rest = 0, onBatch }: EmbedPendingOptions,
): Promise<Ended> {
  const { identity } = embedder;
  if (!identity) return "no_vectors";
  let size = Math.min(FIRST_BATCH, batchSize);
  let leaseMs = FIRST_LEASE_MS;
  let cursor = 0;
  let left = limit;
  while (!signal.aborted) {
    if (left <= 0) return "limit";
    const { items, remaining } = await queue.claim({
      identity,
      cursor,
      limit: Math.min(size, left),
      leaseMs,
      claimant,
    });
    if (items.length === 0) return "done";
    const ids = items.map(({ id }) => id);
    const startedAt = performance.now();
    const embedded = await orGiveBack(queue, claimant, ids, () => embedTexts({ queue, embedder, signal }, items));
    if (!embedded) return signal.aborted ? "stopped" : "no_vectors";
    const ms = performance.now() - startedAt;
    const stillPending = Math.max(0, remaining - embedded.stored.length);
    onBatch?.({ ...embedded, ids, remaining: stillPending, ms });
    cursor = ids.at(-1) ?? cursor;
    left -= ids.length;
    size = Math.max(1, Math.min(batchSize, 2 * size, Math.round((size * AIM_MS) / ms)));
    leaseMs = Math.min(Math.max(LEASE_PER_BATCH * ms, MIN_LEASE_MS), MAX_LEASE_MS);
    if (rest > 0 && stillPending > 0) await sleep(rest * ms, undefined, { signal }).catch(() => {});
  }
  return "stopped";
}

/** Releases claims at once if the work fails or there is no model. */
async function orGiveBack<T>(
  queue: PendingQueue,
  claimant: string,
  ids: readonly number[],
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const done = await work();
    if (done === undefined) await queue.release(claimant, ids);
    return done;
  } catch (error) {
    await queue.release(claimant, ids).catch(() => {}); // The lease gives them back, a moment later.
    throw error;
  }
}
