/** Events from which an entity's momentum is computed. */
export interface Activity {
  /** Events of the last 24 hours and of the last 7 days. */
  readonly lastDay: number;
  readonly lastWeek: number;
  readonly total: number;
  /** Since the first event; at least 1 counts. */
  readonly days: number;
  /** Mean importance of the memories of the last 7 days; undefined when there are none. */
  readonly meanImportance: number | undefined;
}

export type MomentumBand = "surging" | "active" | "quiet" | "dormant";

/** 0–10 = 0.4·quality + 0.3·velocity + 0.3·volume. */
export function momentum({ lastDay, lastWeek, total, days, meanImportance = 0.5 }: Activity): number {
  const velocity = lastDay >= 3 ? 10 : lastDay >= 1 ? 7 : lastWeek >= 3 ? 4 : lastWeek >= 1 ? 2 : 0;
  const quality = Math.min(10, 10 * meanImportance);
  return 0.4 * quality + 0.3 * velocity + 0.3 * volume(lastWeek, total, days);
}

function volume(lastWeek: number, total: number, days: number): number {
  const weekly = (total / Math.max(1, days)) * 7;
  if (weekly === 0) return lastWeek > 0 ? 5 : 0;
  const ratio = lastWeek / weekly;
  if (ratio >= 3) return 10;
  if (ratio >= 2) return 7;
  return ratio >= 1 ? 4 : 4 * ratio;
}

export function momentumBand(score: number): MomentumBand {
  if (score >= 7) return "surging";
  if (score >= 4) return "active";
  return score >= 1.5 ? "quiet" : "dormant";
}
