import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bigStore } from "../../load/big-store.ts";
import { type Backend, startBackend } from "../backend.ts";
import { fillDemo } from "./demo.ts";

/**
 * `fresh` is empty; `demo` contains an invented team's few memories; `full` adds 100,000 memories of 50,000 entities in
 * 20 projects.
 */
export const STORES = ["fresh", "demo", "full"] as const;
export type StoreKind = (typeof STORES)[number];

const [MEMORIES, PROJECTS, ENTITIES] = [100_000, 20, 50_000];
const ENV = {
  CHEST_RATE_LIMIT: "0",
  CHEST_RATE_LIMIT_WRITES: "0",
  CHEST_SYNC_EMBED: "0",
  CHEST_AUTO_MAINTENANCE: "0",
  CHEST_KEEP_GAPS: "1",
};

export interface Furnished extends Pick<Backend, "url" | "token" | "dataDir"> {
  /** Ids of the invented team's memories; empty in a `fresh` store. */
  readonly ids: readonly number[];
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts a backend over such a store, for pictures and figures of the page. */
export async function startFurnished(kind: StoreKind): Promise<Furnished> {
  const dataDir = mkdtempSync(join(tmpdir(), "chest-page-"));
  if (kind === "full") copyFileSync(await bigStore(MEMORIES, PROJECTS, ENTITIES), join(dataDir, "chest.db"));
  const backend = await startBackend({ dataDir, env: ENV });
  const ids = kind === "fresh" ? [] : await fillDemo(backend.url, backend.token);
  return {
    ...{ url: backend.url, token: backend.token, dataDir, ids, pid: backend.process.pid },
    async stop() {
      await backend.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
