import { randomUUID } from "node:crypto";
import type { Scope, WebhookAttempt } from "@chest/contracts";
import { isBuiltIn, MAINTENANCE } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { digestSince } from "@chest/core/listing";
import type { AuditEntry, Clock, Engine, WebhookProgress, WebhookRow } from "@chest/core/ports";
import { digestDueAt, seenEvents, toldUntil } from "@chest/core/webhooks";
import { RELEASE } from "@chest/runtime";
import type { Logger } from "@chest/runtime/logger";
import { guardedRequest } from "../outbound/guarded-request.ts";
import { deliver, type Outbound } from "./deliver.ts";

const EVERY_MS = 1000;
const PAGE = 100;
const AT_ONCE = 8;
// A claim lasts longer than a run, so two backends never deliver the same events at once.
const RUN_MS = 60_000;
const CLAIM_MS = 120_000;
/** Pauses after the first consecutive failure, the second and so on; the last one repeats. */
const RESTS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
const NEVER = new Date(0);

export interface DeliveryParts {
  readonly engine: Pick<Engine, "as" | "access" | "audit" | "webhooks">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  readonly allowPrivate: boolean;
  /** Searches without results are recorded. */
  readonly keepsGaps: boolean;
  readonly request?: Outbound["request"];
  readonly everyMs?: number;
}

/** Delivers events to webhooks in the background. */
export interface Deliveries {
  start(): void;
  /** Sends a `ping`. If it arrives, a paused webhook resumes at once. */
  ping(webhook: WebhookRow): Promise<WebhookAttempt>;
  /** Ends after the current attempts. The remaining events are delivered after the next start. */
  close(): Promise<void>;
}

export function openDeliveries(parts: DeliveryParts): Deliveries {
  const { engine, clock, log, request = guardedRequest, keepsGaps, everyMs = EVERY_MS } = parts;
  const { webhooks, audit } = engine;
  const out: Outbound = { request, allowPrivate: parts.allowPrivate };
  const running = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isClosed = false;

  const inMs = (ms: number) => new Date(clock.now().getTime() + ms);

  async function look(): Promise<void> {
    const now = clock.now();
    const idle = (await webhooks.list()).filter(({ id, restsUntil }) => !running.has(id) && restsUntil <= now);
    if (idle.length === 0) return;
    const newest = await audit.newest();
    for (const webhook of idle) {
      if (running.size >= AT_ONCE) return;
      const { id, cursor } = webhook;
      const dueAt = digestDueAt(webhook);
      if (isClosed || (dueAt === undefined ? cursor >= newest : dueAt > now)) continue;
      const run = goOn(id)
        .catch((error: unknown) => log.warn({ err: error, webhook: id }, "a webhook could not be resumed"))
        .finally(() => running.delete(id));
      running.set(id, run);
    }
  }

  /** Delivers new events in order, until none are left or an attempt fails. */
  async function goOn(id: number): Promise<void> {
    if (!(await webhooks.claim(id, inMs(CLAIM_MS)))) return;
    // Read after the claim, because another backend may have delivered some since.
    const webhook = (await webhooks.list()).find((each) => each.id === id);
    if (!webhook) return;
    if (digestDueAt(webhook) !== undefined) return goOnWithDigest(webhook);
    let progress: WebhookProgress = webhook;
    const until = inMs(RUN_MS);
    const newest = await audit.newest();
    while (!isClosed && clock.now() < until) {
      const entries = (await audit.list({ after: progress.cursor, limit: PAGE })).filter(({ seq }) => seq <= newest);
      if (entries.length === 0) break;
      for (const entry of entries) {
        if (isClosed || clock.now() >= until) break;
        const told = await tell(webhook, entry);
        if (told === "ended") return;
        if (told.trouble !== undefined) return postpone(webhook, progress, told.trouble);
        progress = { ...progress, ...(told.at && { deliveredAt: told.at }), cursor: entry.seq };
      }
      await webhooks.note(id, { ...progress, failures: 0, trouble: undefined, restsUntil: inMs(CLAIM_MS) });
    }
    await webhooks.note(id, { ...progress, failures: 0, trouble: undefined, restsUntil: NEVER });
  }

  /** Delivers one entry of the log, as far as the webhook's owner may see it now. */
  async function tell(webhook: WebhookRow, entry: AuditEntry): Promise<Delivery | "ended"> {
    if (!isAbout(webhook, entry)) return {};
    const call = await callOfMaker(webhook);
    if (!call) {
      await webhooks.remove(OWN, webhook.id);
      return "ended";
    }
    const [event] = await seenEvents(engine.as(call), [entry]);
    if (!event) return {};
    const { seq, at, ...data } = event;
    const message = { id: `chest_${webhook.id}_${seq}`, type: "memory.changed", at: new Date(at) } as const;
    const trouble = await deliver(webhook, { ...message, data: { seq, ...data } }, out);
    return trouble === undefined ? { at: clock.now() } : { trouble };
  }

  /** Sends the events since the last digest that the webhook's owner may see now; never a private memory. */
  async function goOnWithDigest(webhook: WebhookRow): Promise<void> {
    const { id } = webhook;
    const dueAt = digestDueAt(webhook);
    // Another backend may have sent it in the meantime.
    if (dueAt === undefined || dueAt > clock.now()) return webhooks.note(id, { ...webhook, restsUntil: NEVER });
    const call = await callOfMaker(webhook);
    if (!call) return void (await webhooks.remove(OWN, id));
    const { caller } = call;
    const store = engine.as({ ...call, caller: { ...caller, beside: caller.member } });
    const { _notice, since, until, text } = await digestSince(toldUntil(webhook), store, { caller, clock, keepsGaps });
    const at = new Date(until * 1000);
    const message = {
      id: `chest_${id}_digest_${since}`,
      type: "digest",
      at,
      data: { _notice, since, until, text },
    } as const;
    const trouble = await deliver(webhook, message, out);
    if (trouble !== undefined) return postpone(webhook, webhook, trouble);
    await webhooks.note(id, { ...webhook, deliveredAt: at, failures: 0, trouble: undefined, restsUntil: NEVER });
  }

  async function postpone({ id }: WebhookRow, progress: WebhookProgress, trouble: string): Promise<void> {
    const failures = progress.failures + 1;
    const ms = RESTS_MS[Math.min(failures, RESTS_MS.length) - 1] ?? RESTS_MS[0];
    await webhooks.note(id, { ...progress, failures, trouble, restsUntil: inMs(ms) });
    if (failures === 1) log.warn({ webhook: id, trouble }, "a webhook could not be delivered to");
  }

  /**
   * Looks up the webhook's owner with its present rights; undefined when the owner is disabled or its token was
   * revoked.
   */
  async function callOfMaker({ memberId, projectIds, tokenId }: WebhookRow): Promise<Call | undefined> {
    const { access } = engine;
    const [members, tokens] = await Promise.all([access.members(), tokenId === undefined ? [] : access.tokens()]);
    const member = members.find(({ id, isActive }) => id === memberId && isActive);
    const isRevoked = tokenId !== undefined && !tokens.some(({ id, revokedAt }) => id === tokenId && !revokedAt);
    if (!member || isRevoked) return undefined;
    const { id, name } = member;
    const token = projectIds && { id: tokenId ?? 0, projectIds, expiresAt: undefined };
    const own = tokens.find((each) => each.id === tokenId);
    const operates = own ? own.scopes.includes("operate") : member.role === "admin" || isBuiltIn(member);
    const scopes = new Set<Scope>(operates ? ["read", "operate"] : ["read"]);
    const caller = { ...OWN, member: { id, name }, scopes, token };
    return { caller, requestId: "webhook", signal: new AbortController().signal };
  }

  function next(): void {
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.warn({ err: error }, "webhooks could not be checked"))
        .then(() => (isClosed ? undefined : next()));
    }, everyMs);
  }

  return {
    start: next,
    async ping(webhook) {
      const begun = performance.now();
      const message = { id: `ping_${randomUUID()}`, type: "ping", at: clock.now(), data: {} } as const;
      const trouble = await deliver(webhook, message, out);
      const ms = Math.round(performance.now() - begun);
      if (trouble === undefined && webhook.failures > 0 && !running.has(webhook.id))
        await webhooks.note(webhook.id, { ...webhook, restsUntil: NEVER });
      return { id: webhook.id, delivered: trouble === undefined, trouble: trouble ?? null, ms };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(running.values());
    },
  };
}

interface Delivery {
  /** Time of delivery; undefined for an entry that does not concern the webhook. */
  readonly at?: Date;
  readonly trouble?: string;
}

const OWN = {
  member: MAINTENANCE,
  scopes: new Set<never>(),
  project: undefined,
  client: { name: "chest-webhooks", version: RELEASE },
};

const isAbout = ({ ops }: WebhookRow, { op, outcome, memoryIds }: AuditEntry): boolean =>
  outcome === "ok" &&
  memoryIds.length > 0 &&
  (ops === undefined || ops.some((each) => (each.endsWith("*") ? op.startsWith(each.slice(0, -1)) : op === each)));
