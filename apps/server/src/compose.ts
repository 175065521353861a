import { dirname } from "node:path";
import {
  type AnyTool,
  authorise,
  type CallLog,
  type Engine,
  type Executor,
  type HostPorts,
  handOutText,
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
  readonly ports: HostPorts;
  readonly executor: Executor;
  readonly tools: readonly AnyTool[];
}

const BURYING = { variables: ["CHEST_RANK_W_*", "CHEST_RANK_ACTIVATION_FLOOR"] };

/** Chooses what the backend is made of, and opens it. */
export async function compose({ store, limits, ranking, embedding }: Config, log: Logger): Promise<Parts> {
  ensureFolder(store.dataDir);
  ensureFolder(dirname(store.dbPath));
  if (mayBury(ranking)) log.warn(BURYING, "ranking may put a hot memory above an exact answer");
  const clock = systemClock;
  const ports = { clock, embedders: () => noEmbedder, limits, ranking };
  const engine = await openSqliteEngine({
    path: store.dbPath,
    synchronous: store.synchronous,
    searchThreads: store.searchThreads,
    searchTimeoutMs: store.searchTimeoutMs,
    backupDir: store.backupDir,
    active: embedding.active,
    clock,
    log,
  });
  return {
    engine,
    ports,
    executor: executorOver(engine, ports, log),
    tools: TOOLS,
  };
}

/** The tools over an engine, with what concerns every call around them. */
export function executorOver(engine: Engine, ports: HostPorts, log: CallLog): Executor {
  return wrap(localExecutor(TOOLS, engine, ports), authorise(TOOLS), handOutText(engine), logCalls(log));
}
