import { randomUUID } from "node:crypto";
import { knownCapabilities, remoteExecutor, remoteResources } from "@chest/client";
import {
  type Call,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type EmbeddingIdentity,
  type Engine,
  type Executor,
  type HostPorts,
  localExecutor,
  localResources,
  noEmbedder,
  type ResourceReader,
  systemClock,
  TABLE_IDENTITY,
  TOOLS,
} from "@chest/core";
import { findRepository, openSourceFiles, openWorkspace, withSources } from "@chest/files";
import { operatorHere } from "./access-admin.ts";
import { openReach } from "./backend.ts";
import type { Config } from "./config.ts";
import { withStore } from "./local-store.ts";

/** The tools and the resources, as a person at a terminal has them. */
export interface Workbench {
  execute(tool: string, input: object): Promise<Record<string, unknown>>;
  read(uri: string): Promise<Record<string, unknown>>;
}

interface WorkbenchOptions {
  /** Makes the store of this machine where none is yet: for a command that writes. */
  readonly mayMake?: boolean;
}

/**
 * Calls the backend with the rights of the token; without one, the store of this machine, even while others have it
 * open.
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
      (engine, ports) =>
        work(benchOf(besideFiles(localExecutor(TOOLS, engine, ports)), localResources(engine), project)),
      options,
    );
  }
  const backend = openReach(remote);
  try {
    const executor = besideFiles(remoteExecutor(TOOLS, backend, knownCapabilities(backend)));
    return await work(benchOf(executor, remoteResources(backend), project));
  } finally {
    backend.close();
  }
}

/** Works on this machine's store with what answers need beside it. */
export async function withOwnPorts<T>(
  config: Config,
  work: (engine: Engine, ports: HostPorts) => Promise<T>,
  options: WorkbenchOptions = {},
): Promise<T> {
  const { openOwnEmbedders } = await import("@chest/models");
  const own = openOwnEmbedders();
  const ports = {
    clock: systemClock,
    // A real model takes longer to load than a command may: of it, words alone.
    embedders: (identity: EmbeddingIdentity) => (config.embedsItself ? own.of(identity) : noEmbedder),
    alsoEmbeds: TABLE_IDENTITY,
    limits: DEFAULT_LIMITS,
    ranking: DEFAULT_RANKING,
  };
  try {
    return await withStore(config, (engine) => work(engine, ports), options);
  } finally {
    await own.close();
  }
}

/** Adds the files of the repository that the command was typed in, or of the folder alone where there is none. */
function besideFiles(executor: Executor): Executor {
  const cwd = process.cwd();
  const workspace = openWorkspace(async () => [findRepository(cwd)?.top ?? cwd], cwd);
  return withSources(openSourceFiles(workspace, cwd))(executor);
}

function benchOf(executor: Executor, resources: ResourceReader, project: string | undefined): Workbench {
  const call = (): Call => ({
    caller: operatorHere(project),
    requestId: randomUUID(),
    idempotencyKey: randomUUID(),
    signal: new AbortController().signal,
  });
  return {
    execute: (tool, input) => executor.execute(tool, input, call()),
    read: (uri) => resources.read(uri, call()),
  };
}
