import type { Space } from "@chest/core/access";
import { isSameIdentity } from "@chest/core/embedding";
import type { Reading } from "../database/connection.ts";
import { countPending, type Lacking, type PendingCounts } from "./lacking.ts";

const FEW = 200;
// Counting pending rows takes time in proportion to the backlog. A count is reused for this many times the time it
// took, so that counting uses a small share of a thread.
const SERVES_TIMES = 50;
const SERVES_AT_MOST_MS = 2000;
const MAX_KEPT_COUNTS = 1000;

/** Recent large counts of this process, by subject. */
export type RecentCounts = Map<string, { readonly until: number; readonly count: number }>;

/**
 * Wraps counts so that large ones are cached for a while.
 * @param reader counts small numbers directly
 */
export function keptCounts(reader: Reading, counts: PendingCounts, recent: RecentCounts = new Map()): PendingCounts {
  return {
    async count(spaces, lacking) {
      const key = JSON.stringify([spaces, lacking]);
      const startedAt = performance.now();
      const last = recent.get(key);
      if (last && startedAt < last.until) return last.count;
      const few = await countFew(reader, spaces, lacking);
      if (few !== undefined) return few;
      const count = await counts.count(spaces, lacking);
      const endedAt = performance.now();
      if (recent.size >= MAX_KEPT_COUNTS) recent.clear();
      recent.set(key, { until: endedAt + Math.min(SERVES_TIMES * (endedAt - startedAt), SERVES_AT_MOST_MS), count });
      return count;
    },
  };
}

/** The count if it is small; undefined if it is large, or not covered by an index. */
async function countFew(reader: Reading, spaces: readonly Space[], lacking: Lacking): Promise<number | undefined> {
  if (!isSameIdentity(lacking.identity, lacking.active)) return undefined;
  const count = await countPending(reader, spaces, lacking, FEW + 1);
  return count <= FEW ? count : undefined;
}
