/** The newest accesses that count, of each memory. */
export const COUNTED_ACCESSES = 50;

const LEAST_STALE_S = 600;
const STALE_SHARE = 0.05;

/** Remaining weight of one access, by the seconds since. */
export const traceOf = (ageS: number): number => Math.max(1, ageS) ** -0.5;

/**
 * 0–1: how present a memory still is: the base-level activation of ACT-R, made a share.
 * @param traces the sum of `traceOf` over its newest accesses, or over its creation when it was never opened.
 */
export const activation = (traces: number): number => 1 / (1 + Math.exp(-(Math.log(traces) + 6) / 1.5));

/** Whether a computed activation is out of date: the memory was opened since, or time has moved on noticeably. */
export function isActivationStale(computedAtS: number | undefined, lastUsedAtS: number, nowS: number): boolean {
  if (computedAtS === undefined || lastUsedAtS >= computedAtS) return true;
  return nowS - computedAtS > Math.max(LEAST_STALE_S, STALE_SHARE * (nowS - lastUsedAtS));
}
