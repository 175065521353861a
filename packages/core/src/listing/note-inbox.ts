import { ChestError, endpoints } from "@chest/contracts";
import { z } from "zod";
import { idNumeral } from "../arguments/numeral.ts";
import { fixedMoment } from "../moments/read-moment.ts";
import { defineOperation } from "../operation.ts";
import { INBOX_KINDS, type InboxItem, inboxKey } from "../ports/inbox/notes.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { invalid } from "../tool.ts";
import * as field from "../tools/fields.ts";

const PAIRS: ReadonlySet<string> = new Set(["contradictions", "duplicates"]);

/** Whether an item has the memories that its kind is about. */
const isWhole = ({ queue, memory_id, against }: InboxItemKey) =>
  PAIRS.has(queue) ? against !== undefined && against !== memory_id : against === undefined;
const WHOLE = "`against` names the other memory of a pair: for `contradictions` and `duplicates` alone";

interface InboxItemKey {
  readonly queue: (typeof INBOX_KINDS)[number];
  readonly memory_id: number;
  readonly against?: number | undefined;
}

const INBOX_NOTE_FIELDS = {
  note: z.strictObject({
    items: z
      .array(
        z
          .strictObject({
            queue: z.enum(INBOX_KINDS),
            memory_id: field.id(),
            against: field.id().optional().describe("The other memory of a pair"),
          })
          .refine(isWhole, { error: WHOLE, path: ["against"] }),
      )
      .min(1)
      .max(200),
    assignee: z.string().max(64).nullable().optional().describe("Name of a member who may decide it; null: nobody"),
    snooze_until: field
      .moment()
      .nullable()
      .optional()
      .describe("A time from now like `1d`, `2w`, `12h`, or a date or time, at most a year ahead; null: wakes it"),
    reason: z.string().trim().min(1).max(500).transform(wellFormed).nullable().optional().describe("null: none"),
  }),
  deciders: z
    .strictObject({
      queue: z.enum(INBOX_KINDS),
      memory_id: idNumeral(),
      against: idNumeral().optional().describe("The other memory of a pair"),
    })
    .refine(isWhole, { error: WHOLE, path: ["against"] }),
} as const;

const itemOf = ({ queue, memory_id, against }: InboxItemKey): InboxItem => ({
  ...{ kind: queue, memoryId: memory_id, againstId: against },
});

/** Assigns items of the inbox, puts them off or wakes them; a field that is left out stays as it is. */
export const noteInbox = defineOperation({
  endpoint: endpoints.noteInbox,
  body: INBOX_NOTE_FIELDS.note,
  isPlaced: true,
  run({ body: { assignee, snooze_until: until, ...asked } }, { store, clock, caller }) {
    if ([assignee, until, asked.reason].every((each) => each === undefined)) throw nothingAsked();
    const named = asked.items.map(itemOf);
    const items = [...new Map(named.map((item) => [`${item.kind} ${inboxKey(item)}`, item])).values()];
    const snoozedUntil = until == null ? until : readSnooze(until, clock.now(), caller.timeZone);
    const reason = asked.reason == null ? asked.reason : redact(asked.reason);
    return store.write(async (tx) => {
      const found = await tx.inbox.decidable(items);
      const lacking = items.find((item) => !found.has(item));
      if (lacking) throw waitsNowhere(lacking);
      const assigneeId = assignee == null ? assignee : (await tx.inbox.deciders(found)).get(assignee);
      if (assignee != null && assigneeId === undefined) throw mayNotDecide(assignee);
      if (assignee == null && snoozedUntil == null && reason != null) {
        const notes = await tx.inbox.notes(items);
        if (items.some((item) => !notes.has(inboxKey(item)))) throw reasonAlone();
      }
      await tx.inbox.note(items, { assigneeId, snoozedUntil, reason });
      return { ok: true as const, items: items.length };
    });
  },
});

/** Names of the members to whom an item can be assigned. */
export const inboxDeciders = defineOperation({
  endpoint: endpoints.inboxDeciders,
  query: INBOX_NOTE_FIELDS.deciders,
  isPlaced: true,
  async run({ query }, { store }) {
    const item = itemOf(query);
    const found = await store.inbox.decidable([item]);
    if (!found.has(item)) throw waitsNowhere(item);
    return { ok: true as const, members: [...(await store.inbox.deciders(found)).keys()] };
  },
});

const UNITS_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const LONGEST_MS = 366 * UNITS_MS.d;

function readSnooze(input: string, now: Date, zone: string | undefined): Date {
  const text = input.trim();
  const [, count, unit] = /^([1-9]\d{0,3})([hdw])$/.exec(text) ?? [];
  const until =
    unit === undefined
      ? fixedMoment(text, zone)
      : new Date(now.getTime() + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  const message = (trouble: string) => invalid([{ path: "snooze_until", message: trouble }]);
  if (!until) throw message("is neither a time like `12h`, `1d`, `2w` nor a date or time like 2027-01-31");
  if (until <= now) throw message("is not in the future");
  if (until.getTime() - now.getTime() > LONGEST_MS) throw message("is more than a year ahead");
  return until;
}

const nothingAsked = (): ChestError =>
  invalid([{ path: "assignee", message: "is missing, as are `snooze_until` and `reason`: name one of them" }]);

const waitsNowhere = ({ kind, memoryId, againstId }: InboxItem): ChestError =>
  new ChestError(
    "NOT_FOUND",
    `memory ${memoryId}${againstId === undefined ? "" : ` against ${againstId}`} is not among the \`${kind}\` that wait for you`,
    {
      hint: `\`GET /api/inbox/${kind}\` lists them; it may be decided already`,
      details: { queue: kind, id: memoryId },
    },
  );

const mayNotDecide = (name: string): ChestError =>
  new ChestError("INVALID_INPUT", `assignee: \`${wellFormed(name)}\` is no member who may decide this`, {
    hint: "name an active member who may open all of it, of a promotion an admin or its author; `GET /api/inbox/deciders` lists them",
    details: { field: "assignee" },
  });

const reasonAlone = (): ChestError =>
  new ChestError("INVALID_INPUT", "reason: says why an item is assigned or snoozed, and this one is neither", {
    hint: "give `assignee` or `snooze_until` with it",
    details: { field: "reason" },
  });
