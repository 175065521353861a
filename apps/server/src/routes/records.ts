import { endpoints } from "@chest/contracts";
import { type Engine, purgeFor, RECORD_FIELDS, readAudit } from "@chest/core";
import type { FastifyInstance } from "fastify";
import type { Once } from "../idempotent.ts";
import { writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface RecordOptions extends Pick<Engine, "audit" | "purger"> {
  readonly once: Once;
}

/** Routes of the audit log and of purging. */
export function recordRoutes(app: FastifyInstance, { audit, purger, once }: RecordOptions): void {
  serve(app, endpoints.audit, async ({ query }) => ({ entries: await readAudit(audit, query) }), {
    querystring: RECORD_FIELDS.audit,
  });
  serve(
    app,
    endpoints.purge,
    async (request, reply) => once(writeCallOf(request, reply), ({ caller }) => purgeFor(purger, caller, request.body)),
    { body: RECORD_FIELDS.purge },
  );
}
