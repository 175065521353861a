import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, type EmbeddingIdentity, type Engine, KNOWN_IDENTITIES } from "@chest/core";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterAll } from "vitest";

// A folder that the system keeps in memory, where there is one.
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const opened = new Set<{ readonly engine: Engine; readonly folder: string }>();

afterAll(async () => {
  for (const { engine, folder } of opened) {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
  opened.clear();
});

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
  opened.add({ engine, folder });
  return engine;
}
