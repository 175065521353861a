import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "@chest/contracts";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import type { Backups, Clock, EmbedderFor, Engine, StoreHost } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { keepGaps } from "@chest/core/wraps";
import { openLlm } from "@chest/llm";
import type { Env } from "@chest/runtime";
import { openSqliteEngine } from "@chest/store-sqlite";
import { testPorts } from "@chest/testing";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { vi } from "vitest";
import { type AppParts, buildApp } from "../app.ts";
import { pipelineOver } from "../compose.ts";
import { type Config, readConfig } from "../config.ts";
import { openModelFiles } from "../model-files.ts";
import { openSchemaCheck } from "../schema-check.ts";
import { openDeliveries } from "../webhooks/deliveries.ts";
import { openWording } from "../wording.ts";
import { BY_WORDS, NEVER_BUSY } from "./app.ts";
import { TOKEN } from "./token.ts";

export interface TestRequester {
  /** Name of the member whose token is used; by default the shared token. */
  readonly member?: string;
  readonly scopes?: readonly Scope[];
  /** Keys of the only projects that the token opens. */
  readonly projects?: readonly string[];
  readonly project?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Engines that the tests can run the app over. */
interface Kind {
  open(config: Config, clock: Clock): Promise<Engine>;
  /** Makes the next memory of an empty store get an id above this one. */
  beginIdsAt(engine: Engine, config: Config, id: number): Promise<void>;
}

const SQLITE: Kind = {
  open: ({ store, embedding }, clock) =>
    openSqliteEngine({
      path: store.dbPath,
      active: embedding.choice.identity,
      clock,
      synchronous: "NORMAL",
      searchThreads: store.searchThreads,
      accessFlushMs: 20,
      searchTimeoutMs: 30_000,
    }),
  async beginIdsAt(_engine, { store }, id) {
    // A second SQLite library in this process would release the locks of the first, so the statement runs in another
    // process.
    const begin = `const { DatabaseSync } = require("node:sqlite"); new DatabaseSync(process.argv[1])
      .exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('memories', ${id})")`;
    execFileSync(process.execPath, ["--no-warnings", "-e", begin, store.dbPath]);
  },
};

/** No server listens at this address, so no test downloads a model. */
const NO_HUB = { HF_ENDPOINT: "http://127.0.0.1:9" };

let kind = SQLITE;

/** Runs all apps of a test file over another engine. */
export function overEngine(other: Kind): void {
  kind = other;
}

/** Stand-ins beside an engine without files, so that all routes exist. */
const NO_BACKUPS: Backups = {
  make: async (reason) => ({
    ...{ path: "", file: "", made_at: "1970-01-01T00:00:00Z", reason, schema: "", store_uid: "" },
    ...{ bytes: 0, sha256: "", rows: {} },
  }),
  list: async () => [],
  rotate: async () => [],
};
const NO_HOST: StoreHost = {
  warm: () => undefined,
  load: () => ({
    writer: { waiting: 0, writes: 0, commits: 0 },
    search: { threads: 0, busy: 0, waiting: 0 },
    storeBytes: 0,
    logBytes: 0,
  }),
  census: async () => ({
    ...{ live: 0, archived: 0, superseded: 0, unsegmented: 0, unindexed: 0, strayIndexed: 0, textRows: 0 },
    ...{ entities: 0, pending: 0, vectors: 0, corruptVectors: 0 },
  }),
  place: () => ({ freeBytes: 0, totalBytes: 0, network: undefined, files: [] }),
  schema: () => ({ has: "", knows: "" }),
  onSearch: () => undefined,
};

interface AppOptions extends Pick<AppParts, "maxEventLoopDelayMs" | "timeouts"> {
  /** Also compares the database with the schema, which adds half a second to each diagnosis. */
  readonly hasSchemaCheck?: true;
  readonly embedders?: EmbedderFor;
}

/** Opens the app over a real store in a new folder, with requests by any member. */
export async function openSqliteApp(
  env: Env = {},
  { maxEventLoopDelayMs = 0, timeouts, hasSchemaCheck, embedders }: AppOptions = NEVER_BUSY,
) {
  const folder = mkdtempSync(join(tmpdir(), "chest-app-"));
  const { config: read } = readConfig({
    ...BY_WORDS,
    ...NO_HUB,
    CHEST_DATA_DIR: folder,
    CHEST_RATE_LIMIT: "0",
    ...env,
  });
  // Starting search threads would be half the work of a test.
  const searchThreads = env.CHEST_SEARCH_THREADS === undefined ? 0 : read.store.searchThreads;
  const config = { ...read, store: { ...read.store, searchThreads } };
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const engine = await kind.open(config, clock);
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const { clock: _, ...rest } = testPorts();
  const llm = config.llm && openLlm(config.llm, { ...config.llm, clock, log });
  const ports = {
    ...rest,
    ...(embedders && { embedders }),
    clock,
    llm,
    limits: config.limits,
    ranking: config.ranking,
    hasReview: config.hasReview,
    keepsGaps: config.keepsGaps,
  };
  const wording = openWording({ engine, llm, clock, hasReview: config.hasReview }, log as never);
  const keeping = config.keepsGaps ? [keepGaps(engine, log)] : [];
  const pipeline = pipelineOver(engine, ports, log, [...keeping, wording.after]);
  const { backups = NO_BACKUPS, host = NO_HOST } = engine;
  const { allowsPrivate: allowPrivate, keepsGaps } = config;
  const anotherDeliveries = () => openDeliveries({ engine, clock, log, allowPrivate, keepsGaps, everyMs: 20 });
  const deliveries = anotherDeliveries();
  const models = openModelFiles(config, log);
  const parts = { engine, backups, host, ports, pipeline, tools: TOOLS, config, log, wording, deliveries, models };
  const checkSchema = hasSchemaCheck && openSchemaCheck(config.store);
  const app = await buildApp({ ...parts, checkSchema, maxEventLoopDelayMs, ...(timeouts && { timeouts }) });

  const admin = openAccessAdmin(engine.access, localCaller(undefined), ports.clock);
  const tokens = new Map<string, string>();

  async function tokenOf({ member, scopes = ["read", "write"], projects }: TestRequester): Promise<string> {
    if (member === undefined) return TOKEN;
    const name = `${member} ${scopes} ${projects}`;
    const known = tokens.get(name);
    if (known !== undefined) return known;
    if (scopes.includes("admin") && (await engine.access.memberByName(member)) === undefined)
      await admin.addMember({ name: member, admin: true });
    const { token } = await admin.createToken({ member, scopes, ...(projects && { projects }) });
    tokens.set(name, token);
    return token;
  }

  async function ask(
    method: "GET" | "POST" | "DELETE",
    url: string,
    payload?: InjectOptions["payload"],
    by: TestRequester = {},
  ) {
    const project = by.project === undefined ? {} : { "x-chest-project": encodeURIComponent(by.project) };
    const headers = { authorization: `Bearer ${await tokenOf(by)}`, ...project, ...by.headers };
    const response = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return { status: response.statusCode, headers: response.headers, body: readBody(response) };
  }

  /** Calls a tool. @returns its answer or its refusal. */
  async function tool(name: string, input: object, by?: TestRequester) {
    const { body } = await ask("POST", `/api/tools/${name}`, input, by);
    return body.result ?? body.error;
  }

  return {
    app,
    engine,
    config,
    log,
    wording,
    deliveries,
    /** Opens the deliveries of another backend over the same store. */
    anotherDeliveries,
    admin,
    ask,
    tokenOf,
    get: (url: string, by?: TestRequester) => ask("GET", url, undefined, by),
    post: (url: string, payload: InjectOptions["payload"], by?: TestRequester) => ask("POST", url, payload, by),
    tool,
    beginIdsAt: (id: number) => kind.beginIdsAt(engine, config, id),
    /** Advances the clock. */
    advance: (ms: number) => {
      aheadMs += ms;
    },
    /** Stores a memory and returns its id. */
    async store(content: string, over: object = {}, by?: TestRequester): Promise<number> {
      const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content, ...over };
      return (await tool("chest_remember", fact, by)).memory_id;
    },
    async close() {
      await app.close();
      await deliveries.close();
      await wording.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads a body as JSON, or as text where it is not JSON, like metrics. */
const readBody = ({ headers, body }: LightMyRequestResponse) =>
  String(headers["content-type"]).startsWith("application/json") ? JSON.parse(body) : body;

export type SqliteApp = Awaited<ReturnType<typeof openSqliteApp>>;
