import { endpoints } from "@chest/contracts";
import { type Engine, purgeFor, RECORD_FIELDS, readAudit } from "@chest/core";
import type { FastifyInstance } from "fastify";
import { callOf } from "../caller.ts";
import { serve } from "../serve.ts";

/** What was done, and what is to go for good. */
export function recordRoutes(app: FastifyInstance, { audit, eraser }: Pick<Engine, "audit" | "eraser">): void {
  serve(app, endpoints.audit, async ({ query }) => ({ entries: await readAudit(audit, query) }), {
    querystring: RECORD_FIELDS.audit,
  });
  serve(app, endpoints.purge, async (request, reply) => purgeFor(eraser, callOf(request, reply).caller, request.body), {
    body: RECORD_FIELDS.purge,
  });
}
