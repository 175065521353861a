import { randomUUID } from "node:crypto";
import { endpoints } from "@chest/contracts";
import { inboxCounts, inboxQueue, noteInbox } from "@chest/core/listing";
import { INBOX_KINDS, INBOX_PARTS, type InboxKind, type InboxPart } from "@chest/core/ports";
import { defineCommand } from "citty";
import { operatorHere } from "../../connect/access-admin.ts";
import { withBackend } from "../../connect/backend.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withOwnPorts } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { COMMON, type ExitCode, PROJECT, REACH, type Shell } from "../../terminal/command-context.ts";
import { readCount } from "../../terminal/parse-numbers.ts";
import { readIds, UsageError } from "../../terminal/usage.ts";

const kinds = INBOX_KINDS.join(", ");

/** Inbox of a backend, or of this machine's store. */
interface InboxClient {
  counts(query: Readonly<Record<string, string>>): Promise<{ readonly counts: Readonly<Record<string, unknown>> }>;
  queue(kind: InboxKind, query: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>>;
  note(body: object): Promise<object>;
}

function atInbox<T>(config: Config, work: (inbox: InboxClient) => Promise<T>): Promise<T> {
  const { remote } = config;
  if (remote)
    return withBackend(remote, (backend) =>
      work({
        counts: (query) => backend.call(endpoints.inbox, { query }),
        queue: (queue, query) => backend.call(endpoints.inboxQueue, { parts: { queue }, query }),
        note: (body) => backend.call(endpoints.noteInbox, { body }),
      }),
    );
  const call = { caller: operatorHere(), requestId: randomUUID(), signal: new AbortController().signal };
  return withOwnPorts(config, (pipeline) =>
    work({
      counts: (query) => pipeline.answer(inboxCounts, { query }, call),
      queue: (queue, query) => pipeline.answer(inboxQueue, { params: { queue }, query }, call),
      note: (body) => pipeline.answer(noteInbox, { body }, call),
    }),
  );
}

function kindNamed(input: string): InboxKind {
  const kind = INBOX_KINDS.find((each) => each === input);
  if (kind) return kind;
  throw new UsageError(`the inbox has no queue \`${input.slice(0, 80)}\``, `use one of ${kinds}`);
}

function partNamed(input: string): InboxPart {
  const part = INBOX_PARTS.find((each) => each === input);
  if (part) return part;
  throw new UsageError(`the inbox has no part \`${input.slice(0, 80)}\``, `use one of ${INBOX_PARTS.join(", ")}`);
}

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

const list = defineCommand({
  meta: { name: "list", description: "How much waits for you, or the items of one queue" },
  args: {
    queue: { type: "positional", description: kinds, required: false },
    part: {
      type: "string",
      description: "waiting: not snoozed and not another's; open: not snoozed; mine: assigned to you; snoozed",
      valueHint: "part",
    },
    limit: { type: "string", description: "At most this many items", valueHint: "1-200" },
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { queue, part, limit, project = "*" } = args;
    const query = { project, ...(part === undefined ? {} : { part: partNamed(part) }) };
    const config = readConfig(env, args);
    if (queue === undefined) {
      const found = await atInbox(config, (inbox) => inbox.counts(query));
      output.rows(Object.entries(found.counts).map(([kind, count]) => [String(count), kind]));
      output.document(found);
      return 0;
    }
    const view = kindNamed(queue);
    const most = limit === undefined ? {} : { limit: String(readCount("limit", limit, 1, 200)) };
    const found = await atInbox(config, (inbox) => inbox.queue(view, { ...query, ...most }));
    showView(output, { ...found, view });
    for (const item of found.items as readonly Noted[]) {
      const line = noteLine(item);
      if (line !== undefined) output.show(line);
    }
    output.document(found);
    return 0;
  },
});

const ITEM = {
  queue: { type: "positional", description: kinds, required: true },
  id: { type: "positional", description: "Id of the memory, or of one of a pair", required: true },
  against: { type: "positional", description: "Id of the other memory of a pair", required: false },
} as const;
const REASON = { type: "string", description: "Why, shown with the item", valueHint: "text" } as const;

interface Typed {
  readonly queue: string;
  readonly id: string;
  readonly against?: string | undefined;
}

const itemTyped = ({ queue, id, against }: Typed) => {
  const [memory_id, other] = [readIds(id)[0], against === undefined ? undefined : readIds(against)[0]];
  return { queue: kindNamed(queue), memory_id, ...(other === undefined ? {} : { against: other }) };
};

const assign = defineCommand({
  meta: { name: "assign", description: "Assign an item to a member who may decide it" },
  args: {
    ...ITEM,
    to: { type: "string", description: "Name of the member", valueHint: "name" },
    nobody: { type: "boolean", description: "Take it from its assignee instead" },
    reason: REASON,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { to, nobody, reason } = args;
    if ((to === undefined) === (nobody !== true))
      throw new UsageError("an item is assigned to one member", "give `--to NAME`, or `--nobody`");
    const body = {
      items: [itemTyped(args)],
      assignee: to ?? null,
      ...(reason === undefined ? {} : { reason }),
    };
    const answer = await atInbox(readConfig(env, args), (inbox) => inbox.note(body));
    output.say(to === undefined ? `${args.id} is assigned to nobody` : `${args.id} is assigned to ${to}`);
    output.document(answer);
    return 0;
  },
});

const snooze = defineCommand({
  meta: { name: "snooze", description: "Put an item off: it leaves the inbox until a time" },
  args: {
    ...ITEM,
    until: { type: "string", description: "`12h`, `1d`, `2w` from now, or a date", required: true, valueHint: "time" },
    reason: REASON,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { until, reason } = args;
    const body = { items: [itemTyped(args)], snooze_until: until, ...(reason === undefined ? {} : { reason }) };
    const answer = await atInbox(readConfig(env, args), (inbox) => inbox.note(body));
    output.say(`${args.id} is snoozed`);
    output.document(answer);
    return 0;
  },
});

const wake = defineCommand({
  meta: { name: "wake", description: "Bring a snoozed item back" },
  args: { ...ITEM, ...COMMON, ...REACH },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const body = { items: [itemTyped(args)], snooze_until: null };
    const answer = await atInbox(readConfig(env, args), (inbox) => inbox.note(body));
    output.say(`${args.id} is back in the inbox`);
    output.document(answer);
    return 0;
  },
});

export const inbox = defineCommand({
  meta: { name: "inbox", description: "What waits for a person: list, assign, snooze, wake" },
  args: COMMON,
  subCommands: { list, assign, snooze, wake },
});
