import { z } from "zod";
import type { Reach } from "../access/space.ts";
import type { Filter } from "../ports/search.ts";
import type { Store } from "../ports/store.ts";
import { readFields } from "../tool.ts";
import * as field from "../tools/fields.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { SAME_TAGS_FROM } from "../views/pairs.ts";
import { liveIn } from "../views/view.ts";

export const INBOX_FIELDS = z.strictObject({ project: field.project().optional() });

/** Number of items that wait for a person, by the view that lists them. */
export async function inboxCounts(given: unknown, store: Pick<Store, "conflicts" | "memories" | "promotions">) {
  const reach = field.readReach(readFields(INBOX_FIELDS, given).project);
  const [waiting, duplicates] = await Promise.all([
    waitingCounts(reach, store),
    store.conflicts.duplicates({ reach, limit: 0, offset: 0, tagLikeness: SAME_TAGS_FROM }),
  ]);
  // A group of many is one decision.
  return { ...waiting, duplicates: duplicates.groups };
}

/** Number of what waits but for near duplicates, which take a walk over many memories. */
export async function waitingCounts(
  reach: Reach,
  { conflicts, memories, promotions }: Pick<Store, "conflicts" | "memories" | "promotions">,
) {
  const nothing = { reach, limit: 0, offset: 0 };
  const marked = (over: Partial<Filter>) =>
    memories.browse({
      order: "newest",
      where: liveIn(reach, { ...over, withoutRules: JOURNAL_RULES }),
      limit: 0,
      offset: 0,
    });
  const [contradictions, flagged, stale, waiting] = await Promise.all([
    conflicts.conflicts(nothing),
    marked({ isFlagged: true }),
    marked({ isStale: true }),
    promotions.waiting(nothing),
  ]);
  return {
    contradictions: contradictions.total,
    flagged: flagged.total,
    stale: stale.total,
    promotions: waiting.total,
  };
}
