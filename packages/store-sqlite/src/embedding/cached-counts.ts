import type { Space } from "@chest/core";
import type { Lacking, PendingCounts } from "@chest/store/embedding/lacking";

// A count of what waits is a hint, and walks an index as long as the backlog: it serves for this many times as long as
// it took, so that however long the backlog is, counting it takes a small share of a thread.
const SERVES_TIMES = 50;
const SERVES_AT_MOST_MS = 2000;
const MAX_KEPT_COUNTS = 1000;

export interface Counting extends PendingCounts {
  /** The count where it is small, and at hand without asking another thread. */
  few(spaces: readonly Space[], lacking: Lacking): number | undefined;
}

/** The same counts, large ones served for a while. */
export function keptCounts(counts: Counting): PendingCounts {
  const recent = new Map<string, { readonly until: number; readonly count: number }>();
  return {
    async count(spaces, lacking) {
      const key = JSON.stringify([spaces, lacking]);
      const startedAt = performance.now();
      const last = recent.get(key);
      if (last && startedAt < last.until) return last.count;
      const few = counts.few(spaces, lacking);
      if (few !== undefined) return few;
      const count = await counts.count(spaces, lacking);
      const endedAt = performance.now();
      if (recent.size >= MAX_KEPT_COUNTS) recent.clear();
      recent.set(key, { until: endedAt + Math.min(SERVES_TIMES * (endedAt - startedAt), SERVES_AT_MOST_MS), count });
      return count;
    },
  };
}
