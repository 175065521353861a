import { type DbFacts, endpoints } from "@chest/contracts";
import { findingsOfDb } from "@chest/core/doctor";
import type { Engine, ServerFacts } from "@chest/core/ports";
import type { FastifyInstance } from "fastify";
import type { SchemaCheck } from "../schema-check.ts";
import { serve } from "./define-route.ts";

export interface DiagnosticsOptions extends Pick<Engine, "inspect" | "server"> {
  /** Undefined when the schema is not compared. */
  readonly checkSchema?: SchemaCheck | undefined;
}

/** Routes that diagnose the database. They answer under load as well, and without the database as far as possible. */
export function diagnosticsRoutes(app: FastifyInstance, { inspect, server, checkSchema }: DiagnosticsOptions): void {
  serve(app, endpoints.diagnoseDb, async () => {
    const [found, facts, schema] = await Promise.all([inspect.examine(), server?.facts(), checkSchema?.()]);
    const db: DbFacts = {
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
      ...(schema ? { schema } : {}),
    };
    return { ...db, findings: findingsOfDb(db) };
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
