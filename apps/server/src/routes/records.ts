import { endpoints } from "@chest/contracts";
import { purgeFor, RECORD_FIELDS, readAudit } from "@chest/core/access";
import type { RunOnce } from "@chest/core/idempotency";
import type { Engine } from "@chest/core/ports";
import type { FastifyInstance } from "fastify";
import { writeCallOf } from "../plugins/caller.ts";
import { type RecentClients, withWriters } from "../plugins/recent-clients.ts";
import { serve } from "./define-route.ts";

export interface RecordOptions extends Pick<Engine, "audit" | "purger"> {
  readonly once: RunOnce;
  readonly recentClients: RecentClients;
}

/** Most entries of the audit log that are searched for clients. */
const MOST_ENTRIES = 500;

/** Routes of the audit log, of the list of clients, and of purging. */
export function recordRoutes(app: FastifyInstance, { audit, purger, once, recentClients }: RecordOptions): void {
  serve(app, endpoints.audit, async ({ query }) => ({ entries: await readAudit(audit, query) }), {
    querystring: RECORD_FIELDS.audit,
  });
  serve(app, endpoints.listClients, async () => ({
    clients: withWriters(recentClients(), await audit.list({ limit: MOST_ENTRIES })),
  }));
  serve(
    app,
    endpoints.purge,
    async (request, reply) => once(writeCallOf(request, reply), ({ caller }) => purgeFor(purger, caller, request.body)),
    { body: RECORD_FIELDS.purge },
  );
}
