import { sinceStartMs } from "./clock.ts";

/** Time limit for everything a hook does, in milliseconds since the process started. */
export interface Budget {
  /** Aborts a moment before the end, so that the hook can still report. */
  readonly signal: AbortSignal;
  leftMs(): number;
}

const LAST_WORDS_MS = 120;
// Time reserved for the process to end.
const GOING_MS = 40;

/** @param end called when time is up, even if work is still running. */
export function startBudget(ms: number, end: () => void): Budget {
  const leftMs = () => ms - LAST_WORDS_MS - sinceStartMs();
  setTimeout(end, Math.max(0, ms - GOING_MS - sinceStartMs())).unref();
  let over: AbortController | undefined;
  return {
    // Created on demand, because loading it takes time that short events do not have.
    get signal() {
      over ??= endingAfter(leftMs());
      return over.signal;
    },
    leftMs,
  };
}

function endingAfter(ms: number): AbortController {
  const over = new AbortController();
  setTimeout(() => over.abort(new Error("the time is over")), Math.max(0, ms)).unref();
  return over;
}
