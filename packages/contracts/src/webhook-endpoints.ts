import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const webhook = z.object({
  id: z.int(),
  url: z.string(),
  /** Operations that the webhook is notified of; null for all. A digest has a webhook of its own. */
  events: z.array(z.string()).nullable(),
  /** Deliveries have ids alone, or for a digest also titles of memories that its creator may see. */
  carries: z.enum(["ids", "text"]),
  member: z.string(),
  /** The only projects that the webhook is notified of; absent without such a limit. */
  projects: z.array(z.string()).optional(),
  created_at: z.string(),
  /** Number of the last event that was sent to the webhook, or that does not concern it. */
  last_event: z.int(),
  delivered_at: z.string().nullable(),
  /** Attempts in a row that failed. */
  failures: z.int(),
  trouble: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
});
export type WebhookView = z.infer<typeof webhook>;

const attempt = z.object({ id: z.int(), delivered: z.boolean(), trouble: z.string().nullable(), ms: z.int() });
export type WebhookAttempt = z.infer<typeof attempt>;

/** Endpoints of webhooks. */
export const webhookEndpoints = {
  listWebhooks: defineEndpoint({
    method: "GET",
    path: "/api/webhooks",
    summary: "Webhooks and their delivery status, without secrets: your own, or all for an admin",
    scope: "operate",
    response: z.object({ webhooks: z.array(webhook) }),
  }),
  addWebhook: defineEndpoint({
    method: "POST",
    path: "/api/webhooks",
    summary:
      "Send changes of memories that the caller may see to a `url`, signed, ids only; `events` names operations, all by default. `digest` or `digest:weekly` alone sends a digest each day or week, which carries text. Its secret is shown once",
    scope: "operate",
    repeat: "told",
    response: webhook.extend({ secret: z.string() }),
  }),
  removeWebhook: defineEndpoint({
    method: "DELETE",
    path: "/api/webhooks/:id",
    summary: "Remove a webhook and its undelivered events",
    scope: "operate",
    repeat: "replayed",
    response: z.object({ id: z.int() }),
  }),
  testWebhook: defineEndpoint({
    method: "POST",
    path: "/api/webhooks/:id/test",
    summary: "Send a `ping` to a webhook now; if it arrives, waiting events follow at once",
    scope: "operate",
    response: attempt,
  }),
} as const;
