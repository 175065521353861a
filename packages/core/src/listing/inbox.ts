import { z } from "zod";
import type { Store } from "../ports/store.ts";
import { readFields } from "../tool.ts";
import * as field from "../tools/fields.ts";
import { SAME_TAGS_FROM } from "../views/pairs.ts";
import { liveIn } from "../views/view.ts";

export const INBOX_FIELDS = z.strictObject({ project: field.project().optional() });

/** How much waits for a person, by the view that lists it. */
export async function inboxCounts(given: unknown, { conflicts, memories }: Pick<Store, "conflicts" | "memories">) {
  const reach = field.readReach(readFields(INBOX_FIELDS, given).project);
  const nothing = { reach, limit: 0, offset: 0 };
  const [contradictions, duplicates, flagged] = await Promise.all([
    conflicts.conflicts(nothing),
    conflicts.duplicates({ ...nothing, tagLikeness: SAME_TAGS_FROM }),
    memories.browse({ order: "newest", where: liveIn(reach, { isFlagged: true }), limit: 0, offset: 0 }),
  ]);
  return { contradictions: contradictions.total, duplicates: duplicates.total, flagged: flagged.total };
}
