import { setTimeout as sleep } from "node:timers/promises";
import { NoAnswer } from "./no-answer.ts";

/** Watches calls that wait for an answer, and aborts them if the backend is gone. */
export interface Presence {
  /**
   * Runs an attempt; its signal aborts with `NoAnswer("stuck")`. Rejects at once while the backend is known to be
   * stuck.
   */
  watch<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): void;
}

export interface PresenceOptions {
  /** Whether the backend answers a probe; rejects or resolves with `false` where it does not. */
  probe(signal: AbortSignal): Promise<boolean>;
  /** Time without an answer after which the backend is probed, repeatedly. */
  readonly silenceMs?: number | undefined;
  readonly probeMs?: number | undefined;
  /** Interval of probes to a stuck backend. */
  readonly againMs?: number | undefined;
}

const SILENCE_MS = 3_000;
const PROBE_MS = 5_000;
const AGAIN_MS = 3_000;

/**
 * Calls wait as long as the backend answers probes. If it does not, it is stuck, and all calls fail at once until a
 * probe succeeds. A timeout alone cannot distinguish a slow call from a stuck backend.
 */
export function watchPresence({
  probe,
  silenceMs = SILENCE_MS,
  probeMs = PROBE_MS,
  againMs = AGAIN_MS,
}: PresenceOptions): Presence {
  const waiting = new Set<AbortController>();
  const closing = new AbortController();
  let isStuck = false;
  let asking: Promise<boolean> | undefined;

  const isThere = (): Promise<boolean> => {
    asking ??= probe(AbortSignal.any([closing.signal, AbortSignal.timeout(probeMs)]))
      .catch(() => false)
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const look = async (): Promise<void> => {
    if (isStuck || (await isThere()) || isStuck || closing.signal.aborted) return;
    isStuck = true;
    for (const call of waiting) call.abort(new NoAnswer("stuck"));
    void untilThere();
  };
  const untilThere = async (): Promise<void> => {
    while (isStuck && !closing.signal.aborted) {
      await sleep(againMs, undefined, { ref: false });
      if (await isThere()) isStuck = false;
    }
  };

  return {
    async watch(attempt) {
      if (isStuck) throw new NoAnswer("stuck", { mayHaveArrived: false });
      const call = new AbortController();
      waiting.add(call);
      const looking = setInterval(() => void look(), silenceMs);
      try {
        return await attempt(call.signal);
      } finally {
        clearInterval(looking);
        waiting.delete(call);
      }
    },
    close: () => closing.abort(),
  };
}
