import { dirname } from "node:path";
import type { HostPorts } from "@chest/core/executor";
import { type Around, openPipeline, type Pipeline } from "@chest/core/pipeline";
import { type Backups, type Clock, type Engine, type StoreHost, systemClock } from "@chest/core/ports";
import { mayOutrankExact } from "@chest/core/recall";
import type { AnyTool } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { type CallLog, keepGaps } from "@chest/core/wraps";
import { type LlmListener, openLlm } from "@chest/llm";
import { openReranking, tellOfReranker } from "@chest/models";
import { ensureFolder } from "@chest/runtime";
import type { Logger } from "@chest/runtime/logger";
import { noteActivity } from "./client-activity.ts";
import type { Config } from "./config.ts";
import { type Embedding, openEmbedding } from "./embedding.ts";
import { type Maintenance, openMaintenance } from "./maintenance.ts";
import { type ModelFiles, openModelFiles } from "./model-files.ts";
import { openSchemaCheck, type SchemaCheck } from "./schema-check.ts";
import { type Deliveries, openDeliveries } from "./webhooks/deliveries.ts";
import { openWording, type Wording } from "./wording.ts";

export interface ServerParts {
  readonly engine: Engine;
  /** Undefined where the database server makes its own backups. */
  readonly backups: Backups | undefined;
  readonly host: StoreHost | undefined;
  readonly ports: HostPorts;
  readonly pipeline: Pipeline;
  readonly tools: readonly AnyTool[];
  readonly embedding: Embedding;
  readonly maintenance: Maintenance;
  readonly wording: Wording;
  readonly deliveries: Deliveries;
  readonly models: ModelFiles;
  readonly checkSchema: SchemaCheck;
  /** Calls the listener for each request to the language model. */
  onLlm(listener: LlmListener): void;
}

const BURYING = { variables: ["CHEST_RANK_W_*", "CHEST_RANK_ACTIVATION_FLOOR"] };

/** Opens the backend's parts as configured. */
export async function compose(config: Config, log: Logger): Promise<ServerParts> {
  const { limits, ranking, embedding, maintenance: maintenanceSettings, hasReview } = config;
  if (mayOutrankExact(ranking)) log.warn(BURYING, "ranking may put a hot memory above an exact answer");
  const clock = systemClock;
  const engine = await openEngine(config, log, clock);
  const vectors = openEmbedding(embedding, engine, log);
  const { embedders, leavesPending, embedSoon } = vectors;
  const listeners: LlmListener[] = [];
  const llm =
    config.llm &&
    openLlm(config.llm, {
      ...config.llm,
      clock,
      log,
      onRequest(...told) {
        for (const tell of listeners) tell(...told);
      },
    });
  const rerank = openReranking(config.reranking, { ...embedding, log });
  const ports = {
    clock,
    llm,
    embedders,
    leavesPending,
    embedSoon,
    limits,
    ranking,
    rerank,
    hasReview,
    keepsGaps: config.keepsGaps,
  };
  void tellOfReranker(config.reranking, { ...embedding, log });
  const wording = openWording({ engine, llm, clock, hasReview, embedSoon }, log);
  const maintenance = openMaintenance(maintenanceSettings, { engine, embedding: vectors, wording, clock }, log);
  return {
    engine,
    backups: engine.backups,
    host: engine.host,
    ports,
    pipeline: pipelineOver(engine, ports, log, [
      ...(config.keepsGaps ? [keepGaps(engine, log)] : []),
      maintenance.after,
      wording.after,
    ]),
    tools: TOOLS,
    embedding: vectors,
    maintenance,
    wording,
    deliveries: openDeliveries({ engine, clock, log, allowPrivate: config.allowsPrivate, keepsGaps: config.keepsGaps }),
    models: openModelFiles(config, log),
    checkSchema: openSchemaCheck(config.store),
    onLlm: (listener) => void listeners.push(listener),
  };
}

/** Opens the configured engine; the code of the other engine is not loaded. */
async function openEngine({ store, embedding }: Config, log: Logger, clock: Clock): Promise<Engine> {
  const { database, searchTimeoutMs } = store;
  const active = embedding.choice.identity;
  if (database) {
    const { openPostgresEngine } = await import("@chest/store-postgres");
    return openPostgresEngine({ ...database, searchTimeoutMs, active, clock, log });
  }
  const { dataDir, dbPath: path, backupDir, synchronous, searchThreads } = store;
  ensureFolder(dataDir);
  ensureFolder(dirname(path));
  // Creating a backup folder elsewhere shows a wrong path at the start, not at the first backup a day later.
  if (dirname(backupDir) !== dataDir) ensureFolder(backupDir);
  const { openSqliteEngine } = await import("@chest/store-sqlite");
  return openSqliteEngine({ path, synchronous, searchThreads, searchTimeoutMs, backupDir, active, clock, log });
}

/** Opens the door to an engine, as a backend has it. @param after who looks at answered calls */
export const pipelineOver = (
  engine: Engine,
  ports: HostPorts,
  log: CallLog,
  after: NonNullable<Around["after"]> = [],
): Pipeline =>
  openPipeline(TOOLS, engine, ports, { place: noteActivity(ports.clock), after, audit: engine.audit, log });
