import { endpoints, type WebhookView } from "@chest/contracts";
import { WEBHOOK_FIELDS } from "@chest/core/webhooks";
import { withBackend } from "../../connect/backend.ts";
import { type Reach, readConfig } from "../../connect/config.ts";
import { commandGroup, reachingCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { UsageError } from "../../terminal/usage.ts";

/** Longer than a backend waits for a receiver. */
const TEST_MS = 20_000;

const ID = { type: "positional", description: "As `webhooks list` shows it", required: true } as const;

const FLAGS = someFlags(WEBHOOK_FIELDS.add, {
  events: {
    words:
      "Only these operations, such as `chest_remember` or `maintenance:*`; all by default. `digest` or `digest:weekly` alone: a digest with text",
    hint: "name,…",
  },
});

const add = reachingCommand({
  meta: { name: "add", description: "Send changes of memories to an address, signed, ids only; or a digest" },
  args: {
    url: { type: "positional", description: "Address to post to, https only", required: true },
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const body = { url: args.url, ...FLAGS.read(args) };
    const made = await withBackend(reachOf(env, args), (backend) => backend.call(endpoints.addWebhook, { body }));
    output.show(`webhook ${made.id} to ${made.url}`);
    if (made.carries === "text")
      output.say("its digests carry text: titles of memories that you may see, private ones never");
    output.say("its secret is shown only once, so save it now:");
    output.say(made.secret);
    output.document(made);
  },
});

const list = reachingCommand({
  meta: { name: "list", description: "List the webhooks, and how their deliveries go" },
  async run(args, { env, output }) {
    const { webhooks } = await withBackend(reachOf(env, args), (backend) => backend.call(endpoints.listWebhooks));
    if (webhooks.length === 0) output.say("there are no webhooks");
    output.rows(webhooks.map(cellsOf));
    output.document(webhooks);
    return webhooks.some(({ failures }) => failures > 0) ? 1 : 0;
  },
});

const remove = reachingCommand({
  meta: { name: "remove", description: "Remove a webhook and its undelivered events" },
  args: { id: ID },
  async run(args, { env, output }) {
    const parts = { id: args.id };
    const removed = await withBackend(reachOf(env, args), (backend) =>
      backend.call(endpoints.removeWebhook, { parts }),
    );
    output.say(`removed webhook ${removed.id}`);
    output.document(removed);
  },
});

const test = reachingCommand({
  meta: { name: "test", description: "Send a `ping` to a webhook now; if it arrives, waiting events follow" },
  args: { id: ID },
  async run(args, { env, output }) {
    const reach = reachOf(env, args);
    const tried = await output.working("sending", () =>
      withBackend({ ...reach, timeoutMs: Math.max(reach.timeoutMs, TEST_MS) }, (backend) =>
        backend.call(endpoints.testWebhook, { parts: { id: args.id }, body: {}, tries: 1 }),
      ),
    );
    output.show(tried.delivered ? `it arrived: ${tried.ms} ms` : `it did not arrive: ${tried.trouble}`);
    output.document(tried);
    return tried.delivered ? 0 : 1;
  },
});

export const webhooks = commandGroup({
  meta: { name: "webhooks", description: "Webhooks of a backend: add, list, remove, test" },
  subCommands: { add, list, remove, test },
});

function reachOf(...source: Parameters<typeof readConfig>): Reach {
  const { remote } = readConfig(...source);
  if (remote) return remote;
  throw new UsageError("webhooks are a backend's", "name one with `--remote-url` or CHEST_REMOTE_URL");
}

function cellsOf({ id, member, url, events, failures, trouble, delivered_at, next_attempt_at }: WebhookView): string[] {
  const delivered = delivered_at === null ? "nothing delivered yet" : `delivered ${delivered_at}`;
  const state =
    failures === 0 ? delivered : `failed ${counted(failures, "time")}: ${trouble}; next attempt ${next_attempt_at}`;
  return [`${id}`, member, url, events?.join(",") ?? "all events", state];
}
