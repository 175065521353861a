import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { SchemaFacts } from "@chest/contracts";
import type { Config } from "./config.ts";

/** Compares the database with the schema of this release; never throws. */
export type SchemaCheck = () => Promise<SchemaFacts>;

export interface SchemaCheckOptions {
  /** Program of the thread; by default the file beside this one. */
  readonly program?: URL;
  /** Time after which the thread is stopped. */
  readonly patienceMs?: number;
}

// Counting rows ends after five seconds, and a statement that hangs then has ten more.
const PATIENCE_MS = 20_000;
// If the check needs more memory than this, its thread ends and the backend goes on.
const MOST_MEGABYTES = 256;

/** The source file, or in a build the bundle that contains Prisma's client. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../packages/schema-check/src/worker.ts" : "./schema-check-worker.js",
  import.meta.url,
);

/**
 * Builds the check of a store, which runs in a thread that starts and ends with the check. Simultaneous callers share
 * one check.
 */
export function openSchemaCheck(
  store: Pick<Config["store"], "dbPath" | "database">,
  { program = PROGRAM, patienceMs = PATIENCE_MS }: SchemaCheckOptions = {},
): SchemaCheck {
  let running: Promise<SchemaFacts> | undefined;
  return () => {
    running ??= check(program, targetOf(store), patienceMs).finally(() => {
      running = undefined;
    });
    return running;
  };
}

function targetOf({ dbPath, database }: Pick<Config["store"], "dbPath" | "database">) {
  if (!database) return { engine: "sqlite", path: dbPath };
  const { url, password, caFile } = database;
  const address = new URL(url);
  if (password !== undefined) address.password = encodeURIComponent(password);
  // With a certificate authority's file, the certificate and host name are verified instead.
  if (caFile !== undefined) address.searchParams.delete("sslmode");
  return { engine: "postgres", url: address.href, caFile };
}

async function check(program: URL, target: object, patienceMs: number): Promise<SchemaFacts> {
  if (!existsSync(program))
    return none("absent", "this build has no Prisma client: the image, the package and a developer's clone have it");
  const thread = new Worker(program, {
    workerData: target,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<SchemaFacts>((resolve) => {
      const fail = (reason: string) => resolve(none("failed", reason));
      thread.once("message", resolve);
      thread.once("error", (error) => fail(`its thread ended with an error (${codeOf(error)})`));
      thread.once("exit", (code) => fail(`its thread ended with code ${code}`));
      late = setTimeout(() => fail(`it took longer than ${patienceMs / 1000} s`), patienceMs);
    });
  } finally {
    clearTimeout(late);
    // Not awaited, because a thread inside a statement of SQLite ends only after it.
    void thread.terminate();
  }
}

/** Reports only the code of an error, since its message may contain stored content or an address with a password. */
const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? (error as Error).name);

const none = (state: "absent" | "failed", reason: string): SchemaFacts => ({
  ...{ state, reason, tables: [], missing_tables: [], missing_columns: [] },
  ...{ foreign_tables: [], foreign_columns: [], own_tables: [] },
});
