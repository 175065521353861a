import { dirname } from "node:path";
import {
  type AnyTool,
  authorise,
  type CallLog,
  type Engine,
  type Executor,
  localExecutor,
  logCalls,
  mayBury,
  noEmbedder,
  systemClock,
  TOOLS,
  wrap,
} from "@chest/core";
import { ensureFolder } from "@chest/runtime";
import type { Logger } from "@chest/runtime/logger";
import { openSqliteEngine } from "@chest/store-sqlite";
import type { Config } from "./config.ts";

export interface Parts {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly tools: readonly AnyTool[];
}

const BURYING = { variables: ["CHEST_RANK_W_*", "CHEST_RANK_ACTIVATION_FLOOR"] };

/** Chooses what the backend is made of, and opens it. */
export async function compose({ store, limits, ranking }: Config, log: Logger): Promise<Parts> {
  ensureFolder(store.dataDir);
  ensureFolder(dirname(store.dbPath));
  if (mayBury(ranking)) log.warn(BURYING, "ranking may put a hot memory above an exact answer");
  const clock = systemClock;
  const engine = await openSqliteEngine({
    path: store.dbPath,
    synchronous: store.synchronous,
    searchThreads: store.searchThreads,
    searchTimeoutMs: store.searchTimeoutMs,
    backupDir: store.backupDir,
    clock,
    log,
  });
  return {
    engine,
    executor: executorOver(engine, { clock, embedder: noEmbedder, limits, ranking }, log),
    tools: TOOLS,
  };
}

/** The tools over an engine, with what concerns every call around them. */
export function executorOver(engine: Engine, ports: Parameters<typeof localExecutor>[2], log: CallLog): Executor {
  return wrap(localExecutor(TOOLS, engine, ports), authorise(TOOLS), logCalls(log));
}
