import { endpoints } from "@chest/contracts";
import { alreadyDone, type RunOnce } from "@chest/core/idempotency";
import type { Engine } from "@chest/core/ports";
import { openWebhookAdmin, WEBHOOK_FIELDS, type WebhookAdmin } from "@chest/core/webhooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { callOf, writeCallOf } from "../plugins/caller.ts";
import { serve } from "../routes/define-route.ts";
import type { Deliveries } from "./deliveries.ts";

export interface WebhookOptions {
  readonly engine: Pick<Engine, "webhooks" | "access">;
  readonly deliveries: Pick<Deliveries, "ping">;
  readonly allowsPrivate: boolean;
  readonly once: RunOnce;
}

/** Routes of webhooks. */
export function webhookRoutes(app: FastifyInstance, { engine, deliveries, allowsPrivate, once }: WebhookOptions): void {
  const adminOf = ({ caller }: Pick<FastifyRequest, "caller">): WebhookAdmin => {
    if (!caller) throw new Error("an open route has no caller");
    return openWebhookAdmin(engine, caller, { allowsPrivate });
  };

  serve(app, endpoints.listWebhooks, async (request) => ({ webhooks: await adminOf(request).list() }));
  serve(
    app,
    endpoints.addWebhook,
    async (request, reply) => {
      const call = writeCallOf(request, reply);
      let isRepeat = false;
      let secret = "";
      const onReplay = () => {
        isRepeat = true;
      };
      // The stored answer for a repeat leaves the secret out.
      const made = await once({ ...call, onReplay }, async () => {
        const { secret: fresh, ...view } = await adminOf(request).add(request.body);
        secret = fresh;
        return view;
      });
      if (isRepeat)
        throw alreadyDone("webhook", { id: made.id, hint: "remove it and add it again for a secret that you know" });
      return { ...made, secret };
    },
    { body: WEBHOOK_FIELDS.add },
  );
  serve(
    app,
    endpoints.removeWebhook,
    async (request, reply) => once(writeCallOf(request, reply), () => adminOf(request).remove(request.params)),
    { params: WEBHOOK_FIELDS.id },
  );
  serve(
    app,
    endpoints.testWebhook,
    async (request, reply) => deliveries.ping(await adminOf(callOf(request, reply)).find(request.params)),
    { params: WEBHOOK_FIELDS.id },
  );
}
