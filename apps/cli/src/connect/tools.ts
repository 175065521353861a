import { randomUUID } from "node:crypto";
import { knownCapabilities, remoteExecutor, remoteResources } from "@chest/client";
import {
  BUILTIN_IDENTITY,
  type Call,
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type EmbedderFor,
  type EmbeddingIdentity,
  type Engine,
  type Executor,
  embedPending,
  isSameIdentity,
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
    const { openOwnEmbedders } = await import("@chest/models");
    const own = openOwnEmbedders();
    const ports = {
      clock: systemClock,
      // A real model takes longer to load than a command may: of it, words alone.
      embedders: (identity: EmbeddingIdentity) => (config.embedsItself ? own.of(identity) : noEmbedder),
      limits: DEFAULT_LIMITS,
      ranking: DEFAULT_RANKING,
    };
    try {
      return await withStore(
        config,
        async (engine) => {
          const executor = besideFiles(localExecutor(TOOLS, engine, ports));
          const done = await work(benchOf(executor, localResources(engine), project));
          if (options.mayMake && config.embedsItself) await embedWritten(engine, own.of);
          return done;
        },
        options,
      );
    } finally {
      await own.close();
    }
  }
  const backend = openReach(remote);
  try {
    const executor = besideFiles(remoteExecutor(TOOLS, backend, knownCapabilities(backend)));
    return await work(benchOf(executor, remoteResources(backend), project));
  } finally {
    backend.close();
  }
}

// A handful of texts takes half a second; what is left is made by the next client or backend.
const MOST_EMBEDDED = 20;
const EMBED_MS = 3_000;

/** Makes the vectors of what was just written: those of the store's model, and those of the table for hooks. */
async function embedWritten({ pending, identities }: Engine, of: EmbedderFor): Promise<void> {
  const { active } = await identities.current();
  const wanted = isSameIdentity(active, BUILTIN_IDENTITY) ? [TABLE_IDENTITY, active] : [active];
  const options = { claimant: randomUUID(), signal: AbortSignal.timeout(EMBED_MS), limit: MOST_EMBEDDED };
  for (const identity of wanted) await embedPending(pending, of(identity), options);
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
