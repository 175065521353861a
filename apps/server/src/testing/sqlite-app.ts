import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, type Engine, type Member, SHARED, TOOLS } from "@chest/core";
import { testPorts } from "@chest/core/testing";
import type { Env } from "@chest/runtime";
import { openSqliteEngine } from "@chest/store-sqlite";
import type { InjectOptions } from "fastify";
import { vi } from "vitest";
import { buildApp } from "../app.ts";
import { executorOver } from "../compose.ts";
import { readConfig } from "../config.ts";
import { TOKEN } from "./token.ts";

export interface Asking {
  readonly member?: Member;
  readonly project?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The app over a real store in a folder of its own, asked by any member. */
export async function openSqliteApp(env: Env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "chest-app-"));
  const { config } = readConfig({ CHEST_API_TOKEN: TOKEN, CHEST_DATA_DIR: folder, CHEST_RATE_LIMIT: "0", ...env });
  const { active } = config.embedding;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const opened = await openSqliteEngine({
    path: config.store.dbPath,
    active,
    clock,
    synchronous: "NORMAL",
    accessFlushMs: 20,
    searchTimeoutMs: 30_000,
  });
  const log = { info: vi.fn(), error: vi.fn() };
  // Members have no tokens of their own yet: whoever asks is who the test says.
  let member = SHARED;
  const engine: Engine = { ...opened, as: (call: Call) => opened.as({ ...call, caller: { ...call.caller, member } }) };
  const { clock: _, ...rest } = testPorts();
  const ports = { ...rest, clock, limits: config.limits };
  const executor = executorOver(engine, ports, log);
  const app = await buildApp({ engine, ports, executor, tools: TOOLS, config, log });

  async function ask(method: "GET" | "POST", url: string, payload?: InjectOptions["payload"], by: Asking = {}) {
    member = by.member ?? SHARED;
    const project = by.project === undefined ? {} : { "x-chest-project": encodeURIComponent(by.project) };
    const headers = { authorization: `Bearer ${TOKEN}`, ...project, ...by.headers };
    const response = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }

  /** A tool's answer, or its refusal. */
  async function tool(name: string, input: object, by?: Asking) {
    const { body } = await ask("POST", `/api/tools/${name}`, input, by);
    return body.result ?? body.error;
  }

  return {
    app,
    engine,
    config,
    ask,
    get: (url: string, by?: Asking) => ask("GET", url, undefined, by),
    post: (url: string, payload: InjectOptions["payload"], by?: Asking) => ask("POST", url, payload, by),
    tool,
    /** Lets time pass for whoever asks the clock. */
    advance: (ms: number) => {
      aheadMs += ms;
    },
    /** Remembers and gives the id. */
    async store(content: string, over: object = {}, by?: Asking): Promise<number> {
      const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content, ...over };
      return (await tool("chest_remember", fact, by)).memory_id;
    },
    async close() {
      await app.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type SqliteApp = Awaited<ReturnType<typeof openSqliteApp>>;
