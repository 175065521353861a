import { existsSync } from "node:fs";
import type { Engine } from "@chest/core";
import { assertOpensStores, StartError } from "@chest/runtime";
import type { Config } from "./config.ts";

// A command starts its own search thread, which on a busy machine takes a while.
const PATIENCE_MS = 30_000;

/** Works on the store of this machine, beside whatever else has it open. */
export async function withStore<T>({ dbPath }: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  if (!existsSync(dbPath)) {
    throw new StartError(
      `there is no store at \`${dbPath}\` yet`,
      "start the backend once, or name its store with CHEST_DATA_DIR or CHEST_DB_PATH; for a backend elsewhere connect once with `chest-index setup --docker URL`",
    );
  }
  assertOpensStores();
  const { openSqliteEngine } = await import("@chest/store-sqlite");
  const engine = await openSqliteEngine({
    path: dbPath,
    searchTimeoutMs: PATIENCE_MS,
    writePatienceMs: Number.POSITIVE_INFINITY,
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
