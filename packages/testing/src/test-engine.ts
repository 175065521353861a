import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import type { Clock, EmbeddingIdentity, Engine } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import { atEndOfFile } from "./end-of-file.ts";

// A folder that the system keeps in memory, where there is one.
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
export interface TestEngineOptions {
  readonly clock?: Clock | undefined;
  readonly active?: EmbeddingIdentity | undefined;
}

/** Opens an empty store of SQLite for tests that are about something else; it is closed and removed after the file's last test. */
export async function testEngine({ clock, active = KNOWN_IDENTITIES[0] }: TestEngineOptions = {}): Promise<Engine> {
  const folder = mkdtempSync(join(ROOT, "chest-test-"));
  const path = join(folder, "chest.db");
  const engine = await openSqliteEngine({
    path,
    clock,
    active,
    synchronous: "NORMAL",
    searchThreads: 0,
    accessFlushMs: 50,
  });
  atEndOfFile(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return engine;
}
