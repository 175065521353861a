import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { EmbeddingIdentity, Engine } from "@chest/core/ports";
import { assertOpensStores, loadStores, StartError } from "@chest/runtime";
import { makeFolder } from "@chest/runtime/make-folder";
import type { Config, Database } from "./config.ts";

// A command starts a search thread of its own, which takes a while on a busy machine.
const PATIENCE_MS = 30_000;

// A command needs one connection only, since it runs one query after another.
const POOL = 4;

/** Opens the configured database. @param active identity of the vectors for a store without any */
export async function openDatabase(
  { shown: _, ...database }: Database,
  active?: EmbeddingIdentity | undefined,
): Promise<Engine> {
  const { openPostgresEngine } = await loadStores(() => import("@chest/store-postgres"));
  return openPostgresEngine({
    ...database,
    active,
    pool: POOL,
    searchTimeoutMs: PATIENCE_MS,
    writePatienceMs: PATIENCE_MS,
  });
}

/**
 * Runs work on this machine's store, while other processes may have it open.
 * @param mayMake creates a missing store with its folder
 */
export async function withStore<T>(
  { dbPath, database }: Pick<Config, "dbPath" | "database">,
  work: (engine: Engine) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  if (database) return withEngine(await openDatabase(database), work);
  if (!existsSync(dbPath) && !mayMake) {
    throw new StartError(
      `there is no store at \`${dbPath}\` yet`,
      "start the backend once, or name its store with CHEST_DATA_DIR or CHEST_DB_PATH; for a backend elsewhere connect once with `chest-index setup --docker URL`",
    );
  }
  assertOpensStores();
  makeFolder(dirname(dbPath));
  const { openSqliteEngine } = await import("@chest/store-sqlite");
  const engine = await openSqliteEngine({
    path: dbPath,
    searchTimeoutMs: PATIENCE_MS,
    writePatienceMs: Number.POSITIVE_INFINITY,
  });
  return withEngine(engine, work);
}

async function withEngine<T>(engine: Engine, work: (engine: Engine) => Promise<T>): Promise<T> {
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
