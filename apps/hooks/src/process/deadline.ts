import { sinceStartMs } from "./clock.ts";

/** One deadline for everything that a hook does, in milliseconds since this process began. */
export interface Budget {
  /** Over a moment before the end, so that there is time to say so. */
  readonly signal: AbortSignal;
  leftMs(): number;
}

const LAST_WORDS_MS = 120;
// Time that the process needs to end.
const GOING_MS = 40;

/** @param end called when the time is over, even while work still runs. */
export function startBudget(ms: number, end: () => void): Budget {
  const leftMs = () => ms - LAST_WORDS_MS - sinceStartMs();
  setTimeout(end, Math.max(0, ms - GOING_MS - sinceStartMs())).unref();
  let over: AbortController | undefined;
  return {
    // Made when it is wanted: many an event is over before Node has loaded what it takes.
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
