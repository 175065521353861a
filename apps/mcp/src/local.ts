import { ChestError } from "@chest/contracts";
import {
  DEFAULT_RANKING,
  type Engine,
  type Executor,
  type HostPorts,
  type Limits,
  localExecutor,
  noEmbedder,
  readResource,
  systemClock,
  TOOLS,
} from "@chest/core";
import { loadStores } from "@chest/runtime";
import type { LocalPlace } from "./config.ts";
import type { Log } from "./log.ts";
import type { Place } from "./place.ts";

export interface LocalOptions {
  readonly limits: Limits;
  readonly log: Log;
  readonly openEngine?: (path: string, log: Log) => Promise<Engine>;
}

/** The tools over a store in this process, opened by the first call: a start waits for no file. */
export function openLocal({ dbPath }: LocalPlace, { limits, log, openEngine = openSqlite }: LocalOptions): Place {
  const usual = { clock: systemClock, embedders: () => noEmbedder, ranking: DEFAULT_RANKING };
  const ports: HostPorts = { ...usual, limits };
  let opening: Promise<{ engine: Engine; executor: Executor }> | undefined;

  const open = async () => {
    try {
      const engine = await openEngine(dbPath, log);
      return { engine, executor: localExecutor(TOOLS, engine, ports) };
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
        return readResource(uri, engine.as(call));
      },
    },
    start: () => {},
    interrupt: () => {},
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.engine.close();
    },
  };
}

async function openSqlite(path: string, log: Log): Promise<Engine> {
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  return openSqliteEngine({ path, log });
}

/** Why the store did not open, for the agent of the one person who owns it. */
function readable(error: unknown): unknown {
  if (error instanceof ChestError || !(error instanceof Error)) return error;
  if (!("hint" in error) || typeof error.hint !== "string") return error;
  return new ChestError("UNAVAILABLE", error.message, { hint: error.hint, cause: error });
}
