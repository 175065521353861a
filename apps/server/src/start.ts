import type { AddressInfo } from "node:net";
import { ChestError } from "@chest/contracts";
import { localCaller, openSignInAdmin } from "@chest/core/access";
import { scheduleBackups } from "@chest/core/lifecycle";
import { CannotOpen } from "@chest/core/ports";
import { type ClosingStep, closeInOrder, explain, StartError } from "@chest/runtime";
import type { Logger } from "@chest/runtime/logger";
import { forgetRunning, noteRunning } from "@chest/runtime/running-backend";
import type { FastifyInstance } from "fastify";
import { buildApp } from "./app.ts";
import { assertAddress, listenError } from "./check-port.ts";
import { compose } from "./compose.ts";
import type { Config } from "./config.ts";
import { collectWhenQuiet } from "./garbage.ts";
import { mostConnections } from "./plugins/connection-limit.ts";
import { openTracing } from "./tracing.ts";

const DRAIN_MS = 5000;
const FLUSH_MS = 5000;
// Health checks are answered before threads and models use the processor.
const WORK_AFTER_MS = 200;

export interface RunningServer {
  /** Address on this machine. */
  readonly url: string;
  /** Makes a link that signs a browser on this machine in to the page, once, within ten minutes. */
  signInLink(): Promise<string>;
  /** Finishes accepted requests and closes the store. @returns the exit code. */
  stop(): Promise<number>;
}

/** Keeps the backend running when the reader of its output has ended or its disk is full. */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Opens the store and listens. */
export async function startServer(
  config: Config,
  log: Logger,
  warnings: readonly string[] = [],
): Promise<RunningServer> {
  await assertAddress(config.http);
  const parts = await compose(config, log);
  const steps: ClosingStep[] = [
    { name: "webhooks", limitMs: FLUSH_MS, close: () => parts.deliveries.close() },
    { name: "downloads", limitMs: FLUSH_MS, close: () => parts.models.close() },
    { name: "wording", limitMs: FLUSH_MS, close: () => parts.wording.close() },
    { name: "maintenance", limitMs: FLUSH_MS, close: () => parts.maintenance.close() },
    { name: "embedding", limitMs: FLUSH_MS, close: () => parts.embedding.close() },
    { name: "reranker", limitMs: FLUSH_MS, close: async () => parts.ports.rerank?.reranker.close() },
    { name: "store", limitMs: FLUSH_MS, close: () => parts.engine.close() },
  ];
  try {
    const tracing = await openTracing(config.tracesTo, log);
    if (tracing) steps.push({ name: "traces", limitMs: FLUSH_MS, close: () => tracing.close() });
    const app = await buildApp({ ...parts, config, log, warnings, tracing, mostConnections: mostConnections() });
    await listen(app, config.http);
    const work = setTimeout(() => {
      parts.host?.warm();
      parts.embedding.start();
      parts.maintenance.start();
      parts.deliveries.start();
    }, WORK_AFTER_MS);
    steps.unshift({ name: "work of its own", limitMs: FLUSH_MS, close: async () => clearTimeout(work) });
    const garbage = collectWhenQuiet();
    steps.unshift({ name: "garbage", limitMs: FLUSH_MS, close: async () => garbage.stop() });
    if (parts.backups) {
      const schedule = scheduleBackups({ backups: parts.backups, ...config.backups, log });
      steps.unshift({ name: "backups", limitMs: FLUSH_MS, close: () => schedule.stop() });
    }
    steps.unshift({
      name: "http",
      limitMs: DRAIN_MS,
      close: () => app.close(),
      force: () => app.server.closeAllConnections(),
    });
    const url = urlOf(app.server.address() as AddressInfo);
    log.info({ url, store: config.store.database ? "PostgreSQL" : config.store.dbPath }, "listening");
    const { dataDir, dbPath, backupDir, database } = config.store;
    const files = database ? { db_path: undefined, backup_dir: undefined } : { db_path: dbPath, backup_dir: backupDir };
    noteRunning(dataDir, { url, pid: process.pid, ...files });
    steps.push({ name: "note", limitMs: FLUSH_MS, close: async () => forgetRunning(dataDir, process.pid) });
    const admin = openSignInAdmin(parts.engine.access, localCaller(undefined), parts.ports.clock);
    const signInLink = async () => `${url}/#/sign-in?link=${(await admin.createLink({})).link}`;
    return { url, signInLink, stop: async () => ((await closeInOrder(steps, log)) ? 0 : 1) };
  } catch (error) {
    await closeInOrder(steps, log);
    throw error;
  }
}

async function listen(app: FastifyInstance, http: Config["http"]): Promise<void> {
  try {
    await app.listen({ port: http.port, host: http.host });
  } catch (error) {
    throw listenError(error, http);
  }
}

function urlOf({ address, port }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/**
 * Ends a program that could not start. It prints a plain message where the user can do something, otherwise the stack.
 */
export function exitAfterFailedStart(program: string, error: unknown): never {
  if (!(error instanceof StartError || error instanceof CannotOpen || error instanceof ChestError)) throw error;
  process.stderr.write(`${explain(program, error)}\n`);
  process.exit(1);
}
