import { randomBytes } from "node:crypto";
import { ChestError, type WebhookView } from "@chest/contracts";
import { z } from "zod";
import { parentFor } from "../access/access-admin.ts";
import type { Caller } from "../access/caller.ts";
import { keysToldTo } from "../access/project.ts";
import { idNumeral } from "../arguments/numeral.ts";
import type { AccessReads } from "../ports/access.ts";
import type { Engine } from "../ports/engine.ts";
import type { WebhookRow } from "../ports/webhooks.ts";
import { invalid, readFields } from "../tool.ts";
import { TOOLS } from "../tools/index.ts";
import { digestDays } from "./digest-hook.ts";
import { isInnerAddress } from "./inner-address.ts";

const MOST = 20;

/** Fields of requests about webhooks. */
export const WEBHOOK_FIELDS = {
  add: z.strictObject({
    url: z.string().trim().max(2000),
    events: z
      .array(z.string().regex(/^[a-z][a-z_.:-]{0,63}\*?$/, "is not the name of an operation, like `chest_remember`"))
      .min(1)
      .max(50)
      .optional(),
  }),
  id: z.strictObject({ id: idNumeral() }),
} as const;

/** Webhooks of one caller. */
export interface WebhookAdmin {
  /** @returns it with its secret, which is shown this once. */
  add(input: unknown): Promise<WebhookView & { secret: string }>;
  /** All of them for an admin, else one's own. */
  list(): Promise<WebhookView[]>;
  remove(input: unknown): Promise<{ id: number }>;
  /** Finds a webhook that the caller may see. */
  find(input: unknown): Promise<WebhookRow>;
}

/** @param allowsPrivate may an address be plain http, or lie inside a network. */
export function openWebhookAdmin(
  { webhooks, access }: Pick<Engine, "webhooks" | "access">,
  caller: Caller,
  { allowsPrivate }: { readonly allowsPrivate: boolean },
): WebhookAdmin {
  const isOpen = ({ memberId }: WebhookRow): boolean => caller.scopes.has("admin") || memberId === caller.member.id;
  const visible = async () => (await webhooks.list()).filter(isOpen);

  async function find(input: unknown): Promise<WebhookRow> {
    const { id } = readFields(WEBHOOK_FIELDS.id, input);
    const found = (await visible()).find((each) => each.id === id);
    if (found) return found;
    throw new ChestError("NOT_FOUND", `there is no webhook ${id}`, { hint: "`chest-index webhooks list` shows them" });
  }

  return {
    find,
    async add(input) {
      const { url: text, events: ops } = readFields(WEBHOOK_FIELDS.add, input);
      const url = readUrl(text, allowsPrivate);
      for (const [at, op] of (ops ?? []).entries()) assertKnown(op, at);
      assertOnlyDigest(ops ?? []);
      const own = (await webhooks.list()).filter(({ memberId }) => memberId === caller.member.id);
      if (own.length >= MOST) throw tooMany();
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const made = await webhooks.add(caller, {
        ...{ url, ops, secret, memberId: caller.member.id },
        projectIds: caller.token?.projectIds,
        tokenId: parentFor(caller),
      });
      const [view] = await webhookViews(access, [made], caller);
      return { ...(view as WebhookView), secret };
    },
    list: async () => webhookViews(access, await visible(), caller),
    async remove(input) {
      const { id } = await find(input);
      await webhooks.remove(caller, id);
      return { id };
    },
  };
}

function readUrl(text: string, allowsPrivate: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (message: string) => invalid([{ path: "url", message }]);
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse("is not an address that begins with `https://`");
  if (url.username !== "" || url.password !== "") throw refuse("holds a user or a password: deliveries are signed");
  if (url.protocol === "http:" && !allowsPrivate)
    throw refuse("is plain http: only with CHEST_ALLOW_PRIVATE_ADDRESSES, for a receiver of your own network");
  if (!allowsPrivate && isInnerAddress(url.hostname.replace(/^\[|\]$/g, "")))
    throw refuse("is a private address: only with CHEST_ALLOW_PRIVATE_ADDRESSES");
  url.hash = "";
  return url.href;
}

/** A webhook with a misspelt tool would never fire. Operations that are no tools are many, and not listed. */
function assertKnown(op: string, at: number): void {
  if (!op.startsWith("chest_") || op.endsWith("*")) return;
  const names = TOOLS.filter(({ site, effects }) => site === "server" && !effects.readOnly).map(({ name }) => name);
  if (names.includes(op)) return;
  throw invalid([{ path: `events.${at}`, message: `\`${op}\` is not a tool that writes: ${names.join(", ")}` }]);
}

/** A digest carries text: it is asked for by its whole name, and by a webhook that sends nothing else. */
function assertOnlyDigest(ops: readonly string[]): void {
  const at = ops.findIndex((op) => op.startsWith("digest"));
  if (at < 0) return;
  const refuse = (message: string) => invalid([{ path: `events.${at}`, message }]);
  if (digestDays(ops) !== undefined) return;
  if (ops.length > 1) throw refuse("a digest has a webhook of its own: name no other event beside it");
  throw refuse(`\`${ops[at]}\` is no digest: \`digest\` for each day, or \`digest:weekly\``);
}

const tooMany = (): ChestError =>
  new ChestError("INVALID_INPUT", `you have ${MOST} webhooks already, and may have no more`, {
    hint: "remove one first: `chest-index webhooks remove ID`",
  });

async function webhookViews(access: AccessReads, rows: readonly WebhookRow[], caller: Caller): Promise<WebhookView[]> {
  const [members, projects] = await Promise.all([access.members(), access.projects()]);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  const keys = keysToldTo(projects, caller);
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    events: row.ops === undefined ? null : [...row.ops],
    carries: digestDays(row.ops) === undefined ? ("ids" as const) : ("text" as const),
    member: names.get(row.memberId) ?? "",
    ...(row.projectIds && { projects: row.projectIds.flatMap((id) => keys.get(id) ?? []) }),
    created_at: row.createdAt.toISOString(),
    last_event: row.cursor,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    failures: row.failures,
    trouble: row.trouble ?? null,
    next_attempt_at: row.failures === 0 ? null : row.restsUntil.toISOString(),
  }));
}
