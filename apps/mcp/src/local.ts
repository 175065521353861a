import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError } from "@chest/contracts";
import { BUILTIN_IDENTITY, isSameIdentity, outgrowsTable, TABLE_IDENTITY } from "@chest/core/embedding";
import type { HostPorts } from "@chest/core/executor";
import { findKnown } from "@chest/core/files";
import { openPipeline, type Pipeline } from "@chest/core/pipeline";
import { type EmbeddingIdentity, type Engine, noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { localResources } from "@chest/core/resources";
import type { Limits } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { openLlm } from "@chest/llm";
import { openReranking, tellOfReranker } from "@chest/models";
import { ensureFolder, loadStores } from "@chest/runtime";
import type { EmbeddingChoice, LocalPlace } from "./config.ts";
import { type OwnEmbedding, openOwnEmbedding } from "./embedding.ts";
import type { Log } from "./log.ts";
import { type LocalMaintenance, openLocalMaintenance } from "./maintenance.ts";
import type { ToolBackend } from "./memory-backend.ts";
import { openSessionLessons, type SessionLessons } from "./session-lessons.ts";

export interface LocalOptions {
  readonly embedding: EmbeddingChoice;
  readonly limits: Limits;
  readonly log: Log;
  readonly openEngine?: (place: LocalPlace, log: Log, active: EmbeddingIdentity) => Promise<Engine>;
  /** Delay after a start before an existing store is opened for maintenance that is due. */
  readonly tendAfterMs?: number;
}

// The host's first calls go first.
const TEND_AFTER_MS = 1_000;
// A pass that is under way ends with its slice; what it reads for the next one is not waited for.
const STOP_MS = 500;

/** The tools over a store in this process, opened by the first call or for what is due in it: a start waits for no file. */
export function openLocal(
  place: LocalPlace,
  { tendAfterMs = TEND_AFTER_MS, embedding, limits, log, openEngine = openSqlite }: LocalOptions,
): ToolBackend {
  const { dbPath } = place;
  let opening: Promise<Opened> | undefined;
  let isStarted = false;
  let tending: NodeJS.Timeout | undefined;

  const open = async () => {
    try {
      const engine = await openEngine(place, log, embedding.choice.identity);
      const own = embedding.mode === "false" ? undefined : openOwnEmbedding(embedding, queueOf(engine, embedding), log);
      const ports: HostPorts = {
        clock: systemClock,
        ranking: DEFAULT_RANKING,
        limits,
        embedders: own?.embedders ?? (() => noEmbedder),
        embedSoon: own?.background.take,
        alsoEmbeds: TABLE_IDENTITY,
        rerank: openReranking(place.reranking, { ...embedding, log }),
        llm: place.llm && openLlm(place.llm, { ...place.llm, clock: systemClock, log }),
      };
      void tellOfReranker(place.reranking, { ...embedding, log });
      const canEmbed = async () => {
        const { active } = await engine.identities.current();
        return (await own?.embedders(active).state())?.isUsable ?? false;
      };
      const maintenance = openLocalMaintenance(engine, place, { canEmbed, log });
      const lessons = openSessionLessons(engine, ports, log);
      const pipeline = openPipeline(TOOLS, engine, ports, { after: [maintenance.after] });
      if (isStarted) {
        own?.background.start();
        maintenance.start();
        lessons.start();
      }
      return {
        engine,
        own,
        ports,
        maintenance,
        lessons,
        pipeline,
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
        const { pipeline } = await opening;
        return pipeline.execute(name, input, call);
      },
    },
    resources: {
      async read(uri, call) {
        opening ??= open();
        const { pipeline } = await opening;
        return localResources(pipeline).read(uri, call);
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
    // Background work begins when the store is opened: by the first call, or a moment later where there is a store.
    start: () => {
      isStarted = true;
      if ((!place.maintenance && !place.llm) || !existsSync(dbPath)) return;
      tending = setTimeout(() => {
        opening ??= open();
        opening.catch((err: unknown) => log.debug({ err }, "the store did not open; the next call says why"));
      }, tendAfterMs);
      tending.unref();
    },
    async finish(limitMs) {
      clearTimeout(tending);
      const opened = await opening?.catch(() => undefined);
      await opened?.own?.finish(limitMs);
    },
    interrupt: () => {},
    async close() {
      const opened = await opening?.catch(() => undefined);
      const stopped = Promise.all([opened?.maintenance.stop(), opened?.lessons.stop()]);
      await Promise.race([stopped, sleep(STOP_MS, undefined, { ref: false })]);
      await opened?.own?.close();
      await opened?.ports.rerank?.reranker.close();
      await opened?.engine.close();
      await stopped;
    },
  };
}

interface Opened {
  readonly engine: Engine;
  readonly ports: HostPorts;
  readonly own: OwnEmbedding | undefined;
  readonly maintenance: LocalMaintenance;
  readonly lessons: SessionLessons;
  readonly pipeline: Pipeline;
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

async function openSqlite({ dbPath, backups }: LocalPlace, log: Log, active: EmbeddingIdentity): Promise<Engine> {
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  ensureFolder(dirname(dbPath));
  return openSqliteEngine({ path: dbPath, backupDir: backups.dir, log, active });
}

/** Reason why the store did not open. The agent works for the store's only owner, so it may see it. */
function readable(error: unknown): unknown {
  if (error instanceof ChestError || !(error instanceof Error)) return error;
  if (!("hint" in error) || typeof error.hint !== "string") return error;
  return new ChestError("UNAVAILABLE", error.message, { hint: error.hint, cause: error });
}
