import { randomUUID } from "node:crypto";
import { knownCapabilities, remoteExecutor, remoteResources } from "@chest/client";
import { TABLE_IDENTITY } from "@chest/core/embedding";
import { type Call, type Executor, endAt, type Stage, throughStages } from "@chest/core/executor";
import type { RawParts, RouteOperation } from "@chest/core/operation";
import { openPipeline, type Pipeline } from "@chest/core/pipeline";
import { type EmbeddingIdentity, type Engine, noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { localResources, type ResourceReader } from "@chest/core/resources";
import { TOOLS } from "@chest/core/tools";
import { findRepository, openSourceFiles, openWorkspace, withSources } from "@chest/files";
import { operatorHere } from "./access-admin.ts";
import { openReach, textsOf, withBackend } from "./backend.ts";
import type { Config } from "./config.ts";
import { withStore } from "./local-store.ts";

/** Tools and resources for commands at a terminal. */
export interface Workbench {
  execute(tool: string, input: object): Promise<Record<string, unknown>>;
  read(uri: string): Promise<Record<string, unknown>>;
}

interface WorkbenchOptions {
  /** Creates a missing store on this machine, for commands that write. */
  readonly mayMake?: boolean;
}

/**
 * Calls the backend with the rights of the token; without a backend, opens this machine's store, even while other
 * processes use it.
 */
export async function atWorkbench<T>(
  config: Config,
  project: string | undefined,
  work: (bench: Workbench) => Promise<T>,
  options: WorkbenchOptions = {},
): Promise<T> {
  const { remote } = config;
  if (!remote) {
    return withOwnPorts(
      config,
      (pipeline) =>
        work(benchOf(throughStages(TOOLS, endAt(pipeline), besideFiles()), localResources(pipeline), project)),
      options,
    );
  }
  const backend = openReach(remote);
  try {
    const executor = remoteExecutor(TOOLS, backend, knownCapabilities(backend), besideFiles());
    return await work(benchOf(executor, remoteResources(backend), project));
  } finally {
    backend.close();
  }
}

/** Opens this machine's store with the models and files that answers need. */
async function withOwnPorts<T>(
  config: Config,
  work: (pipeline: Pipeline, engine: Engine) => Promise<T>,
  options: WorkbenchOptions = {},
): Promise<T> {
  const { openOwnEmbedders } = await import("@chest/models");
  const own = openOwnEmbedders();
  const ports = {
    clock: systemClock,
    // Loading a downloaded model would take longer than a command may, so such a store is searched by words only.
    embedders: (identity: EmbeddingIdentity) => (config.embedsItself ? own.of(identity) : noEmbedder),
    alsoEmbeds: TABLE_IDENTITY,
    limits: config.limits,
    ranking: DEFAULT_RANKING,
    keepsGaps: true,
  };
  try {
    return await withStore(config, (engine) => work(openPipeline(TOOLS, engine, ports), engine), options);
  } finally {
    await own.close();
  }
}

/** Answers an operation at the backend, or without one in this machine's store. */
export function answerTo<Input, Answer>(
  config: Config,
  operation: RouteOperation<Input, Answer>,
  raw: RawParts,
): Promise<Answer> {
  const { remote } = config;
  if (!remote) return withOwnPorts(config, (pipeline) => pipeline.answer(operation, raw, operatorCall()));
  const options = { parts: textsOf(raw.params), query: textsOf(raw.query), body: raw.body };
  return withBackend(remote, (backend) => backend.call(operation.endpoint, options) as Promise<Answer>);
}

/**
 * Adds source files: those of the repository around the working directory, or of the directory itself outside a
 * repository.
 */
function besideFiles(): Stage {
  const cwd = process.cwd();
  const workspace = openWorkspace(async () => [findRepository(cwd)?.top ?? cwd], cwd);
  return withSources(openSourceFiles(workspace, cwd));
}

function benchOf(executor: Executor, resources: ResourceReader, project: string | undefined): Workbench {
  const call = (): Call => ({ ...operatorCall(project), idempotencyKey: randomUUID() });
  return {
    execute: (tool, input) => executor.execute(tool, input, call()),
    read: (uri) => resources.read(uri, call()),
  };
}

const operatorCall = (project?: string): Call => ({
  caller: operatorHere(project),
  requestId: randomUUID(),
  signal: new AbortController().signal,
});
