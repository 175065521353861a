import { z } from "zod";
import type { Store } from "../ports/store.ts";
import { readFields } from "../tool.ts";
import * as field from "../tools/fields.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { SAME_TAGS_FROM } from "../views/pairs.ts";
import { liveIn } from "../views/view.ts";

export const INBOX_FIELDS = z.strictObject({ project: field.project().optional() });

/** Number of items that wait for a person, by the view that lists them. */
export async function inboxCounts(
  given: unknown,
  { conflicts, memories, promotions }: Pick<Store, "conflicts" | "memories" | "promotions">,
) {
  const reach = field.readReach(readFields(INBOX_FIELDS, given).project);
  const nothing = { reach, limit: 0, offset: 0 };
  const [contradictions, duplicates, flagged, stale, waiting] = await Promise.all([
    conflicts.conflicts(nothing),
    conflicts.duplicates({ ...nothing, tagLikeness: SAME_TAGS_FROM }),
    memories.browse({
      order: "newest",
      where: liveIn(reach, { isFlagged: true, withoutRules: JOURNAL_RULES }),
      limit: 0,
      offset: 0,
    }),
    memories.browse({
      order: "newest",
      where: liveIn(reach, { isStale: true, withoutRules: JOURNAL_RULES }),
      limit: 0,
      offset: 0,
    }),
    promotions.waiting(nothing),
  ]);
  return {
    contradictions: contradictions.total,
    // A group of many is one decision.
    duplicates: duplicates.groups,
    flagged: flagged.total,
    stale: stale.total,
    promotions: waiting.total,
  };
}
