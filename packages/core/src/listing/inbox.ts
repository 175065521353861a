import { endpoints } from "@chest/contracts";
import { z } from "zod";
import type { Reach } from "../access/space.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { numeral } from "../arguments/numeral.ts";
import { defineOperation } from "../operation.ts";
import {
  INBOX_KINDS,
  INBOX_PARTS,
  type InboxItem,
  type InboxNote,
  type InboxPart,
  inboxKey,
} from "../ports/inbox/notes.ts";
import type { Filter } from "../ports/search.ts";
import type { Store } from "../ports/store.ts";
import * as field from "../tools/fields.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { VIEWS } from "../views/index.ts";
import { SAME_TAGS_FROM } from "../views/pairs.ts";
import { inPart, liveIn } from "../views/view.ts";

const part = (usual: InboxPart) =>
  z
    .enum(INBOX_PARTS)
    .default(usual)
    .describe(
      "`open`: all that is not snoozed; `waiting`: that without what is assigned to another member; `mine`: assigned to you; `snoozed`",
    );

const INBOX_FIELDS = {
  counts: z.strictObject({ project: field.project().optional(), part: part("waiting") }),
  params: z.strictObject({ queue: z.enum(INBOX_KINDS) }),
  queue: z.strictObject({
    project: field.project().optional(),
    part: part("open"),
    limit: numeral(1, 200).default(50),
    offset: numeral(0).default(0),
  }),
} as const;

/** Number of items of a part of the inbox, by the view that lists them. */
export const inboxCounts = defineOperation({
  endpoint: endpoints.inbox,
  query: INBOX_FIELDS.counts,
  isPlaced: true,
  run: async ({ query: { project, part } }, { store }) => ({
    ok: true as const,
    counts: await countsOf(field.readReach(project), part, store),
  }),
});

/** Counts the items of each queue within a reach. */
export async function countsOf(
  reach: Reach,
  part: InboxPart,
  store: Pick<Store, "conflicts" | "memories" | "promotions">,
) {
  const [waiting, duplicates] = await Promise.all([
    waitingCounts(reach, store, part),
    store.conflicts.duplicates({ reach, part, limit: 0, offset: 0, tagLikeness: SAME_TAGS_FROM }),
  ]);
  // A group of many is one decision.
  return { ...waiting, duplicates: duplicates.groups };
}

/** Number of waiting items except near duplicates, whose search reads many memories. */
export async function waitingCounts(
  reach: Reach,
  { conflicts, memories, promotions }: Pick<Store, "conflicts" | "memories" | "promotions">,
  part: InboxPart = "waiting",
) {
  const nothing = { reach, part, limit: 0, offset: 0 };
  const marked = (over: Partial<Filter>) =>
    memories.browse({
      order: "newest",
      where: liveIn(reach, { ...over, withoutRules: JOURNAL_RULES }),
      limit: 0,
      offset: 0,
    });
  const [contradictions, flagged, stale, waiting] = await Promise.all([
    conflicts.conflicts(nothing),
    marked({ isFlagged: true, ...inPart("flagged", part) }),
    marked({ isStale: true, ...inPart("stale", part) }),
    promotions.waiting(nothing),
  ]);
  return {
    contradictions: contradictions.total,
    flagged: flagged.total,
    stale: stale.total,
    promotions: waiting.total,
  };
}

/** A page of one kind of items, as its view shows them, with their notes. */
export const inboxQueue = defineOperation({
  endpoint: endpoints.inboxQueue,
  params: INBOX_FIELDS.params,
  query: INBOX_FIELDS.queue,
  isPlaced: true,
  async run({ params: { queue: kind }, query: { project, ...page } }, ports) {
    const { total, items } = await VIEWS[kind].read({ reach: field.readReach(project), ...page }, ports);
    const keyed = items.map((item) => ({ kind, ...memoriesOf(item) }));
    const notes = await ports.store.inbox.notes(keyed);
    return {
      _notice: NOTICE,
      ok: true as const,
      total,
      offset: page.offset,
      has_more: page.offset + items.length < total,
      items: items.map((item, nth) => ({ ...item, ...noteOf(notes.get(inboxKey(keyed[nth] as InboxItem))) })),
    };
  },
});

interface InboxEntry {
  readonly id?: number;
  readonly newer?: { readonly id: number };
  readonly older?: { readonly id: number };
}

/** Memories of an item as its view shows it: of one, or of a pair. */
function memoriesOf({ id, newer, older }: InboxEntry): Omit<InboxItem, "kind"> {
  if (newer && older) return { memoryId: newer.id, againstId: older.id };
  if (id === undefined) throw new Error("an item of the inbox is about no memory");
  return { memoryId: id };
}

const noteOf = (note: InboxNote | undefined) =>
  note === undefined
    ? {}
    : {
        note: {
          ...(note.assignee === undefined ? {} : { assignee: note.assignee }),
          ...(note.snoozedUntil === undefined ? {} : { snoozed_until: seconds(note.snoozedUntil) }),
          ...(note.reason === undefined ? {} : { reason: note.reason }),
          author: note.author,
          noted_at: seconds(note.notedAt),
        },
      };
