import { dirname } from "node:path";
import { ChestError } from "@chest/contracts";
import {
  BUILTIN_IDENTITY,
  DEFAULT_RANKING,
  type EmbeddingIdentity,
  type Engine,
  type Executor,
  findKnown,
  type HostPorts,
  handOutText,
  isSameIdentity,
  type Limits,
  localExecutor,
  localResources,
  noEmbedder,
  outgrowsTable,
  systemClock,
  TABLE_IDENTITY,
  TOOLS,
  withoutTextToEmbed,
  wrap,
} from "@chest/core";
import { ensureFolder, loadStores } from "@chest/runtime";
import type { EmbeddingChoice, LocalPlace } from "./config.ts";
import { type OwnEmbedding, openOwnEmbedding } from "./embedding.ts";
import type { Log } from "./log.ts";
import type { ToolBackend } from "./memory-backend.ts";

export interface LocalOptions {
  readonly embedding: EmbeddingChoice;
  readonly limits: Limits;
  readonly log: Log;
  readonly openEngine?: (path: string, log: Log, active: EmbeddingIdentity) => Promise<Engine>;
}

/** The tools over a store in this process, opened by the first call: a start waits for no file. */
export function openLocal(
  { dbPath }: LocalPlace,
  { embedding, limits, log, openEngine = openSqlite }: LocalOptions,
): ToolBackend {
  let opening: Promise<Opened> | undefined;
  let isStarted = false;

  const open = async () => {
    try {
      const engine = await openEngine(dbPath, log, embedding.choice.identity);
      const own = embedding.mode === "false" ? undefined : openOwnEmbedding(embedding, queueOf(engine, embedding), log);
      const ports: HostPorts = {
        clock: systemClock,
        ranking: DEFAULT_RANKING,
        limits,
        embedders: own?.embedders ?? (() => noEmbedder),
      };
      const tools = localExecutor(TOOLS, engine, ports);
      if (isStarted) own?.background.start();
      return {
        engine,
        own,
        ports,
        executor: own ? wrap(tools, handOutText(engine), own.background.wrap, withoutTextToEmbed()) : tools,
      };
    } catch (error) {
      opening = undefined; // What is in the way may be gone at the next call.
      throw readable(error);
    }
  };

  return {
    executor: {
      async execute(name, input, call) {
        opening ??= open();
        const { executor } = await opening;
        return executor.execute(name, input, call);
      },
    },
    resources: {
      async read(uri, call) {
        opening ??= open();
        const { engine } = await opening;
        return localResources(engine).read(uri, call);
      },
    },
    snapshots(call) {
      const bound = async () => {
        opening ??= open();
        const { engine, ports } = await opening;
        return { ...ports, store: engine.as(call), signal: call.signal };
      };
      return {
        find: async (key) => findKnown(key, await bound(), call.caller),
        put: async (key, reading) => (await bound()).store.write((tx) => tx.snapshots.put(key, reading)),
        touch: async (key, mtimeNs) => (await bound()).store.write((tx) => tx.snapshots.touch(key, mtimeNs)),
      };
    },
    // The store is opened by the first call, and what runs by itself begins then.
    start: () => {
      isStarted = true;
    },
    async finish(limitMs) {
      const opened = await opening?.catch(() => undefined);
      await opened?.own?.finish(limitMs);
    },
    interrupt: () => {},
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.own?.close();
      await opened?.engine.close();
    },
  };
}

interface Opened {
  readonly engine: Engine;
  readonly ports: HostPorts;
  readonly own: OwnEmbedding | undefined;
  readonly executor: Executor;
}

/**
 * The store's texts without a vector. Vectors of a next identity that cover the store take the place of the active one's; those of
 * the table are made beside the sentence model's for hooks, which have no time to load a model.
 */
const queueOf = ({ pending, identities }: Engine, { choice }: EmbeddingChoice) => ({
  queue: pending,
  async wanted() {
    const current = await identities.current();
    const { active, next } = outgrowsTable(current, choice.identity)
      ? await identities.begin(choice.identity)
      : current;
    const named = next ? [active, next] : [active];
    return isSameIdentity(active, BUILTIN_IDENTITY) ? [...named, TABLE_IDENTITY] : named;
  },
  async onSwept(identity: EmbeddingIdentity) {
    const { next } = await identities.current();
    if (next && isSameIdentity(identity, next)) await identities.settle();
  },
});

async function openSqlite(path: string, log: Log, active: EmbeddingIdentity): Promise<Engine> {
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  ensureFolder(dirname(path));
  return openSqliteEngine({ path, log, active });
}

/** Reason why the store did not open. The agent works for the store's only owner, so it may see it. */
function readable(error: unknown): unknown {
  if (error instanceof ChestError || !(error instanceof Error)) return error;
  if (!("hint" in error) || typeof error.hint !== "string") return error;
  return new ChestError("UNAVAILABLE", error.message, { hint: error.hint, cause: error });
}
