import { endpoints } from "@chest/contracts";
import type { Engine, ServerFacts } from "@chest/core";
import type { FastifyInstance } from "fastify";
import { serve } from "./define-route.ts";

/** Routes of the database's diagnosis, as far as it answers at all. Not shed under load. */
export function diagnosticsRoutes(app: FastifyInstance, { inspect, server }: Pick<Engine, "inspect" | "server">): void {
  serve(app, endpoints.diagnoseDb, async () => {
    const [found, facts] = await Promise.all([inspect.examine(), server?.facts()]);
    return {
      db_path: found.path,
      exists: found.doesExist,
      size_bytes: found.sizeBytes,
      integrity_check: found.integrity,
      journal_mode: found.journalMode,
      tables_present: [...found.tables],
      missing_tables: [...found.missingTables],
      writable: found.isWritable,
      ...(found.error === undefined ? {} : { error: found.error }),
      ...(facts ? { server: shown(facts) } : {}),
    };
  });
}

const shown = (facts: ServerFacts) => ({
  version: facts.version,
  vector_version: facts.vectorVersion,
  connections: facts.connections,
  max_connections: facts.maxConnections,
  durable: facts.isDurable,
  synchronous_commit: facts.synchronousCommit,
  standbys: facts.standbys,
  synchronous_standbys: facts.synchronousStandbys,
  lag_bytes: facts.mostLagBytes ?? null,
  archiving: facts.isArchiving,
  last_archived_ago_s: facts.lastArchivedAgoS ?? null,
  oldest_transaction_s: facts.oldestTransactionS,
  clock_ahead_ms: facts.clockAheadMs,
  releases: [...facts.releases],
});
