import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, ERRORS } from "@chest/contracts";
import type { PendingQueue } from "@chest/core";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/**
 * Wraps a queue so that calls are repeated until the signal aborts when the backend is busy; a refusal is not repeated.
 */
export function patientQueue(queue: PendingQueue, maxRetry: number, signal: AbortSignal): PendingQueue {
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
  const asked = details?.retry_after_ms;
  const backoff = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(MAX_PAUSE_MS, typeof asked === "number" ? asked : backoff);
}
