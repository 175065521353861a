import { endpoints } from "@chest/contracts";
import type { Engine } from "@chest/core";
import type { FastifyInstance } from "fastify";
import { serve } from "./define-route.ts";

/** Routes of the database's diagnosis, as far as it answers at all. Not shed under load. */
export function diagnosticsRoutes(app: FastifyInstance, inspect: Pick<Engine["inspect"], "examine">): void {
  serve(app, endpoints.diagnoseDb, async () => {
    const found = await inspect.examine();
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
    };
  });
}
