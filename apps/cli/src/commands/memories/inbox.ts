import { inboxCounts, inboxQueue, noteInbox } from "@chest/core/listing";
import { INBOX_KINDS, type InboxKind } from "@chest/core/ports";
import { readConfig } from "../../connect/config.ts";
import { answerTo } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { commandGroup, PROJECT, reachingCommand } from "../../terminal/command-context.ts";
import { operationFlags } from "../../terminal/schema-flags.ts";
import { knownWord, readIds, UsageError } from "../../terminal/usage.ts";

const kinds = INBOX_KINDS.join(", ");

const LISTED = operationFlags(inboxQueue, {
  part: { words: "waiting: not snoozed and not another's; open: not snoozed; mine: assigned to you; snoozed" },
  limit: { words: "At most this many items" },
  project: {},
});
const reason = { words: "Why, shown with the item", hint: "text" };
const ASSIGNED = operationFlags(noteInbox, {
  assignee: { flag: "to", words: "Name of the member", hint: "name" },
  reason,
});
const SNOOZED = operationFlags(noteInbox, {
  snooze_until: { flag: "until", words: "`12h`, `1d`, `2w` from now, or a date", hint: "time" },
  reason,
});

const kindNamed = (typed: string): InboxKind => knownWord(typed, INBOX_KINDS, "queue");

interface Noted {
  readonly id?: number;
  readonly newer?: { readonly id: number };
  readonly older?: { readonly id: number };
  readonly note?: { readonly assignee?: string; readonly snoozed_until?: number; readonly reason?: string };
}

/** Tells whom an item is assigned to and until when it is snoozed; undefined for one without a note. */
function noteLine({ id, newer, older, note }: Noted): string | undefined {
  if (!note) return undefined;
  const { assignee, snoozed_until: until, reason } = note;
  const told = [
    ...(assignee === undefined ? [] : [`assigned to ${assignee}`]),
    ...(until === undefined ? [] : [`snoozed until ${new Date(until * 1000).toISOString()}`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return `${newer && older ? `${newer.id} ${older.id}` : id}: ${told.join(", ")}`;
}

const list = reachingCommand({
  meta: { name: "list", description: "How much waits for you, or the items of one queue" },
  args: {
    queue: { type: "positional", description: kinds, required: false },
    ...LISTED.args,
    ...PROJECT,
  },
  async run(args, { env, output }) {
    const { queue } = args;
    const { limit, ...part } = LISTED.read(args);
    const query = { project: "*", ...part };
    const config = readConfig(env, args);
    if (queue === undefined) {
      const found = await answerTo(config, inboxCounts, { query });
      output.rows(Object.entries(found.counts).map(([kind, count]) => [String(count), kind]));
      output.document(found);
      return;
    }
    const view = kindNamed(queue);
    const page = { ...query, ...(limit === undefined ? {} : { limit }) };
    const found = await answerTo(config, inboxQueue, { params: { queue: view }, query: page });
    showView(output, { ...found, view });
    for (const item of found.items as readonly Noted[]) {
      const line = noteLine(item);
      if (line !== undefined) output.show(line);
    }
    output.document(found);
  },
});

const ITEM = {
  queue: { type: "positional", description: kinds, required: true },
  id: { type: "positional", description: "Id of the memory, or of one of a pair", required: true },
  against: { type: "positional", description: "Id of the other memory of a pair", required: false },
} as const;

interface Typed {
  readonly queue: string;
  readonly id: string;
  readonly against?: string | undefined;
}

const itemTyped = ({ queue, id, against }: Typed) => {
  const [memory_id, other] = [readIds(id)[0], against === undefined ? undefined : readIds(against)[0]];
  return { queue: kindNamed(queue), memory_id, ...(other === undefined ? {} : { against: other }) };
};

const assign = reachingCommand({
  meta: { name: "assign", description: "Assign an item to a member who may decide it" },
  args: {
    ...ITEM,
    ...ASSIGNED.args,
    nobody: { type: "boolean", description: "Take it from its assignee instead" },
  },
  async run(args, { env, output }) {
    const { to, nobody } = args;
    if ((to === undefined) === (nobody !== true))
      throw new UsageError("an item is assigned to one member", "give `--to NAME`, or `--nobody`");
    const body = { items: [itemTyped(args)], assignee: null, ...ASSIGNED.read(args) };
    const answer = await answerTo(readConfig(env, args), noteInbox, { body });
    output.say(to === undefined ? `${args.id} is assigned to nobody` : `${args.id} is assigned to ${to}`);
    output.document(answer);
  },
});

const snooze = reachingCommand({
  meta: { name: "snooze", description: "Put an item off: it leaves the inbox until a time" },
  args: {
    ...ITEM,
    ...SNOOZED.args,
    until: { ...SNOOZED.args.until, required: true },
  },
  async run(args, { env, output }) {
    const body = { items: [itemTyped(args)], ...SNOOZED.read(args) };
    const answer = await answerTo(readConfig(env, args), noteInbox, { body });
    output.say(`${args.id} is snoozed`);
    output.document(answer);
  },
});

const wake = reachingCommand({
  meta: { name: "wake", description: "Bring a snoozed item back" },
  args: ITEM,
  async run(args, { env, output }) {
    const body = { items: [itemTyped(args)], snooze_until: null };
    const answer = await answerTo(readConfig(env, args), noteInbox, { body });
    output.say(`${args.id} is back in the inbox`);
    output.document(answer);
  },
});

export const inbox = commandGroup({
  meta: { name: "inbox", description: "What waits for a person: list, assign, snooze, wake" },
  subCommands: { list, assign, snooze, wake },
});
