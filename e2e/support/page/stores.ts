import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import { bigStore } from "../../load/big-store.ts";
import { type Backend, startBackend } from "../backend.ts";
import { fillDemo } from "./demo.ts";
import { fillTeam } from "./team.ts";

/**
 * `fresh` has nothing, `demo` an invented team's few memories, `team` two months of that team, `full` 100,000 of 50,000 entities
 * in 20 projects beside the few.
 */
export const STORES = ["fresh", "demo", "team", "full"] as const;
export type StoreKind = (typeof STORES)[number];

const [MEMORIES, PROJECTS, ENTITIES] = [100_000, 20, 50_000];
const ENV = {
  CHEST_RATE_LIMIT: "0",
  CHEST_RATE_LIMIT_WRITES: "0",
  CHEST_SYNC_EMBED: "0",
  CHEST_AUTO_MAINTENANCE: "0",
  CHEST_KEEP_GAPS: "1",
};

/** A backend as a team has one: it embeds and maintains. */
const AS_USUAL = { CHEST_SYNC_EMBED: "1", CHEST_AUTO_MAINTENANCE: "1", CHEST_EMBED_MODEL: undefined } as const;

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
  const backend = await startBackend({ dataDir, env: kind === "team" ? { ...ENV, ...AS_USUAL } : ENV });
  const ids = await fill(kind, { url: backend.url, token: backend.token, dataDir });
  return {
    ...{ url: backend.url, token: backend.token, dataDir, ids, pid: backend.process.pid },
    async stop() {
      await backend.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function fill(
  kind: StoreKind,
  { url, token, dataDir }: Pick<Backend, "url" | "token" | "dataDir">,
): Promise<readonly number[]> {
  if (kind === "fresh") return [];
  if (kind !== "team") return fillDemo(url, token);
  const engine = await openSqliteEngine({ path: join(dataDir, "chest.db") });
  try {
    return await fillTeam({ url, dataDir }, openAccessAdmin(engine.access, localCaller(undefined), systemClock));
  } finally {
    await engine.close();
  }
}
