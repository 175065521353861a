import { randomUUID } from "node:crypto";
import { keyed } from "@chest/client";
import { ownTimeZone, type StatedClient, WIRE_VERSION } from "@chest/contracts";
import { localCaller, storableProjectKey } from "@chest/core/access";
import { besideAgent, type Call, type Executor, endAt, type Stage, throughStages } from "@chest/core/executor";
import type { ResourceReader } from "@chest/core/resources";
import { FILE_TOOLS, TOOLS } from "@chest/core/tools";
import { logCalls } from "@chest/core/wraps";
import { withSources } from "@chest/files";
import { readProject } from "@chest/files/project";
import { type Confirm, confirmDestructive, type Model, SERVER_NAME, wordedSummaries } from "@chest/mcp-server";
import { type Env, RELEASE } from "@chest/runtime";
import { readMachineId } from "@chest/runtime/machine";
import type { Config } from "./config.ts";
import { openFiles } from "./files.ts";
import { knownHere } from "./known-here.ts";
import { openLocal } from "./local.ts";
import type { Log } from "./log.ts";
import { openRemote } from "./remote.ts";

/** The tools as this program runs them, and how they end. */
export interface Composition {
  readonly executor: Executor;
  readonly resources: ResourceReader;
  callFor(signal: AbortSignal): Call;
  /** Begins what runs by itself. */
  start(): void;
  /** Lets calls finish, then keeps or flushes what is left. */
  close(): Promise<void>;
}

/** The program that runs this one, and the human in front of it. */
export interface Host {
  /** Name of the MCP client, once it has said so. */
  agent(): string | undefined;
  readonly confirm: Confirm;
  readonly model: Model;
  /** Makes hints name commands as they can be typed here. */
  readonly typedHints: Stage;
  /** The folders it has open; none from a host that does not say. */
  roots(): Promise<readonly string[]>;
}

// Together below the five seconds that a host waits.
const FINISH_MS = 2_000;
const LAST_VECTORS_MS = 700;
const KEEP_MS = 1_000;

export function compose(config: Config, log: Log, host: Host): Composition {
  const machine = once(() => readMachineId(config.dataDir));
  const project = once(() => config.project ?? projectHere(config.env));
  const session = randomUUID();
  const client = { name: SERVER_NAME, version: RELEASE };
  const stated = (): StatedClient => ({ ...client, wire: WIRE_VERSION, machine: machine(), agent: host.agent() });

  const { place: where } = config;
  const place =
    where.mode === "remote" ? openRemote(where, { ...config, log, stated }) : openLocal(where, { ...config, log });
  const files = openFiles({ ...config, log, machine, session, agentRoots: host.roots });
  const running = new Running();

  const executor = throughStages(
    TOOLS,
    endAt(place.executor),
    host.typedHints,
    running.stage,
    wordedSummaries(host.model),
    confirmDestructive(host.confirm),
    withSources(files.sources),
    keyed,
    knownHere(files.roots),
    besideAgent(FILE_TOOLS, (call) => files.portsFor(call, place.snapshots(call))),
  );

  return {
    executor: logCalls(log, executor),
    resources: place.resources,
    callFor: (signal) => ({
      caller: { ...localCaller(project(), { ...client, machine: machine(), session }), timeZone: ownTimeZone() },
      requestId: randomUUID(),
      signal,
    }),
    start: place.start,
    async close() {
      await running.settle(FINISH_MS);
      await place.finish(LAST_VECTORS_MS);
      place.interrupt();
      await running.settle(KEEP_MS);
      await place.close();
    },
  };
}

function projectHere(env: Env): string | undefined {
  const found = readProject(process.cwd(), env);
  return found && storableProjectKey(found);
}

/** Works it out when first asked. */
function once<T>(work: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: work() };
    return made.value;
  };
}

/** Tracks running calls, so that the end of the program can wait for them. */
class Running {
  readonly #calls = new Set<Promise<unknown>>();

  readonly stage: Stage = (request, next) => {
    const running = next(request);
    const settled: Promise<unknown> = running.catch(() => {}).then(() => this.#calls.delete(settled));
    this.#calls.add(settled);
    return running;
  };

  /** Resolves when no call is running, or at the time limit. */
  async settle(limitMs: number): Promise<void> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), limitMs);
    const late = new Promise((resolve) => over.signal.addEventListener("abort", resolve));
    while (this.#calls.size > 0 && !over.signal.aborted) await Promise.race([Promise.all(this.#calls), late]);
    clearTimeout(timer);
  }
}
