import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { BUILTIN_IDENTITY, KNOWN_IDENTITIES, pushVectors, TABLE_IDENTITY } from "@chest/core/embedding";
import { localExecutor } from "@chest/core/pipeline";
import type { Clock, EmbeddingIdentity } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import type { Env } from "@chest/runtime";
import { openLogger } from "@chest/runtime/logger";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildApp } from "./app.ts";
import { compose } from "./compose.ts";
import { readConfig } from "./config.ts";
import { NEVER_BUSY } from "./testing/app.ts";
import { AUTHORIZATION, TOKEN } from "./testing/token.ts";

const PATIENTLY = { timeout: 20_000, interval: 50 };
// The tests check search results, not speed.
const PATIENT = { CHEST_SEARCH_TIMEOUT_MS: "30000" };
const CONTENT = "The weather of the region is shown in the sidebar.";
const A_FACT = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  visibility: "team",
  content: CONTENT,
};
const QUESTION = "侧栏显示什么天气";
const AN_HOUR_AGO: Clock = { now: () => new Date(Date.now() - 3_600_000) };
const [BGE, E5] = KNOWN_IDENTITIES as unknown as [EmbeddingIdentity, EmbeddingIdentity];
const ofLength = ({ dimensions }: EmbeddingIdentity) => new Float32Array(dimensions).fill(1);

let dataDir: string;
const endings: (() => unknown)[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "chest-table-"));
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Makes a store of an earlier release, with vectors of these models; the first is the active one. Without vectors,
 * bge-m3 is.
 */
async function storeOfBefore(...made: readonly EmbeddingIdentity[]): Promise<number> {
  const [active = BGE] = made;
  const engine = await openSqliteEngine({ path: join(dataDir, "chest.db"), active: BGE, clock: AN_HOUR_AGO });
  await engine.identities.begin(active);
  const ports = { ...testPorts(), clock: AN_HOUR_AGO };
  const { memory_id: id } = await localExecutor(TOOLS, engine, ports).execute("chest_remember", A_FACT, aCall());
  for (const identity of made)
    await pushVectors(engine.as(aCall()), identity, [
      { id: id as number, contentSha1: undefined, vector: ofLength(identity) },
    ]);
  await engine.close();
  return id as number;
}

const BY_TABLE = { CHEST_EMBED_MODEL: "builtin/terms" };

async function open(env: Env = BY_TABLE, files: { readonly table?: string; readonly sentences?: string } = {}) {
  const { config: read } = readConfig({ CHEST_API_TOKEN: TOKEN, CHEST_DATA_DIR: dataDir, ...PATIENT, ...env });
  const config = { ...read, embedding: { ...read.embedding, ...files } };
  const log = openLogger({ name: "test", level: "silent", to: 1 });
  const warn = vi.spyOn(log, "warn");
  const parts = await compose(config, log);
  const app = await buildApp({ ...parts, ...NEVER_BUSY, config, log });
  parts.embedding.start();
  endings.push(
    () => parts.engine.close(),
    () => parts.embedding.close(),
    () => app.close(),
  );
  const ask = async (method: "GET" | "POST", url: string, payload?: object) =>
    (await app.inject({ method, url, headers: AUTHORIZATION, ...(payload ? { payload } : {}) })).json();
  const tool = async (name: string, input: object) => (await ask("POST", `/api/tools/${name}`, input)).result;
  return {
    ask,
    warn,
    recall: (query: string) => tool("chest_recall", { query, mark_accessed: false }),
    remember: (content: string) => tool("chest_remember", { ...A_FACT, content }),
    update: (memory_id: number, content: string) => tool("chest_update_memory", { memory_id, content }),
    active: async () => (await ask("GET", "/capabilities")).embedding.active.model,
    pending: async () => (await ask("GET", "/memories/pending")).remaining,
  };
}

describe("the table that comes with Chest", () => {
  it("embeds a new memory within the request that stores it", async () => {
    const { remember, update, recall, pending } = await open();
    const { memory_id, embedding } = await remember("Interviews are held in the small room.");
    expect(embedding).toEqual({ status: "ok" });
    expect((await recall(QUESTION)).memories).toEqual([]);
    expect((await update(memory_id, CONTENT)).embedding).toEqual({ status: "ok" });
    expect((await recall(QUESTION)).memories).toMatchObject([{ id: memory_id }]);
    expect(await pending()).toBe(0);
  });

  it("leaves new memories to the background where CHEST_SYNC_EMBED is off", async () => {
    const { remember, pending } = await open({ ...BY_TABLE, CHEST_SYNC_EMBED: "0" });
    expect((await remember(CONTENT)).embedding).toMatchObject({ status: "pending" });
    expect(await pending()).toBe(1);
  });

  it.each(["🚀", "部署失败后回滚数据库".repeat(500), Buffer.from("chest".repeat(900)).toString("base64")])(
    "takes any text",
    async (content) => {
      const { remember, recall } = await open();
      const { memory_id, embedding } = await remember(`note: ${content}`);
      expect(embedding).toEqual({ status: "ok" });
      const found = await recall(content.slice(0, 1000));
      expect(found).toMatchObject({ ok: true, search: "fts5+vector" });
      expect(found.memories.every(({ id }: { id: number }) => id === memory_id)).toBe(true);
    },
  );

  it("replaces an earlier table's vectors by the sentence model's, since no query can use them any more", async () => {
    const id = await storeOfBefore({ ...TABLE_IDENTITY, revision: "1" });
    const { recall, active, pending, ask } = await open();
    expect((await ask("GET", "/capabilities")).embedding.active).toMatchObject(BUILTIN_IDENTITY);
    await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENTLY);
    expect((await recall(QUESTION)).memories).toMatchObject([{ id }]);
    expect(await active()).toBe(BUILTIN_IDENTITY.model);
  });

  it("leaves vectors of a later table alone", async () => {
    const later = { ...TABLE_IDENTITY, revision: "99" };
    await storeOfBefore(later);
    const { recall, ask } = await open();
    expect((await ask("GET", "/capabilities")).embedding.active).toMatchObject(later);
    expect(await recall("weather sidebar")).toMatchObject({ ok: true, memories: [{ content: CONTENT }] });
  });

  it("embeds a store of an earlier release in the background, when it has no vectors", async () => {
    const id = await storeOfBefore();
    const { active, recall, warn } = await open();
    expect(await active()).toBe(TABLE_IDENTITY.model);
    await vi.waitFor(async () => expect((await recall(QUESTION)).memories).toMatchObject([{ id }]), PATIENTLY);
    expect(warn).not.toHaveBeenCalled();
  });

  it("gives an empty answer when no memory is near, and names the nearest one", async () => {
    const { ask, remember, recall } = await open();
    const { memory_id } = await remember(CONTENT);
    const query = "发票的地区";
    expect(await recall(query)).toMatchObject({ count: 0, total_candidates: 0, memories: [], nearest: [memory_id] });
    const brief = await ask("POST", "/api/tools/chest_recall", { query, explain: false });
    expect(brief.result).toMatchObject({ count: 0, memories: [], nearest: [memory_id] });
    expect((await recall("ERR_SIDEBAR_LOCKED")).memories).toEqual([]);
  });

  it("takes over no store that has vectors of a model, and leaves embedding to that model's clients", async () => {
    await storeOfBefore(BGE, E5, TABLE_IDENTITY);
    const { ask, active, remember, recall, warn } = await open();
    expect(await active()).toBe(BGE.model);
    expect((await remember("a second fact")).embedding).toMatchObject({ status: "pending" });
    expect(await ask("GET", "/capabilities")).toMatchObject({ server_has_embedder: false });
    expect((await recall(QUESTION)).degraded).toEqual([{ leg: "vector", reason: "no_embedder" }]);
    expect(warn).not.toHaveBeenCalled();
  });

  it("keeps its place when an older client pushes vectors of a model", async () => {
    const { ask, active, remember, recall } = await open();
    const { memory_id } = await remember(CONTENT);
    const pushed = { embedding: [...ofLength(BGE)], embedding_status: "ok", model: BGE.model };
    expect(await ask("POST", `/memories/${memory_id}/embedding`, pushed)).toMatchObject({ embedding_status: "ok" });
    expect(await active()).toBe(TABLE_IDENTITY.model);
    expect(await recall(QUESTION)).toMatchObject({ search: "fts5+vector", memories: [{ id: memory_id }] });
  });
});

describe("a table that cannot be read", () => {
  it.each([
    ["missing", () => undefined],
    ["damaged", (path: string) => writeFileSync(path, damaged())],
  ])("is left out, so that recall uses words only and says so: %s", async (_, put) => {
    const path = join(dataDir, "terms.table");
    put(path);
    const { ask, remember, recall, warn } = await open(BY_TABLE, { table: path });
    expect((await remember(CONTENT)).embedding).toMatchObject({ status: "pending" });
    const found = await recall("weather in the sidebar");
    expect(found).toMatchObject({ count: 1, search: "fts5", degraded: [{ leg: "vector", reason: "failed" }] });
    expect(await ask("GET", "/healthz")).toMatchObject({ ok: true, embedding: { provider: "none", state: "failed" } });
    expect(await ask("GET", "/capabilities")).toMatchObject({ server_has_embedder: false });
    await vi.waitFor(() => expect(warn.mock.calls.map(([fields]) => fields)).toMatchObject([{ reason: "failed" }]));
  });

  function damaged(): Buffer {
    const file = readFileSync(new URL("../../../packages/models/src/builtin/terms.table", import.meta.url));
    file[file.length >> 1] = (file[file.length >> 1] ?? 0) ^ 1;
    return file;
  }
});

const FACTS = [
  ["Bread is baked before sunrise, and sold out by noon.", "When do the loaves come out of the oven?"],
  ["Visitors leave their phones in a locker at the gate.", "来访者的手机放在哪里"],
  ["The night train to Vienna runs without a dining car.", "ウィーン行きの夜行列車に食堂車はありますか"],
  ["Invoices above ten thousand euros need two signatures.", "고액 청구서에는 서명이 몇 개 필요한가요"],
  ["The greenhouse is heated with waste heat from the servers.", "Womit wird das Gewächshaus beheizt?"],
] as const;
const SENTENCES = {};

describe("the sentence model that comes with Chest", () => {
  it("finds paraphrased sentences in five languages once they are embedded", async () => {
    const { remember, recall, pending, active, warn } = await open(SENTENCES);
    const ids: number[] = [];
    for (const [fact] of FACTS) {
      const { memory_id, embedding } = await remember(fact);
      expect(embedding).toMatchObject({ status: "pending" });
      ids.push(memory_id);
    }
    await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENTLY);
    for (const [at, [, question]] of FACTS.entries())
      expect([question, (await recall(question)).memories[0]?.id]).toEqual([question, ids[at]]);
    expect(await active()).toBe(BUILTIN_IDENTITY.model);
    expect(warn).not.toHaveBeenCalled();
  });

  it("replaces the table when its vectors cover the store; until then the table answers", async () => {
    const id = await storeOfBefore(TABLE_IDENTITY);
    const { recall, active, pending, ask } = await open(SENTENCES);
    expect(await active()).toBe(TABLE_IDENTITY.model);
    const before = await recall(QUESTION);
    expect(before).toMatchObject({ search: "fts5+vector" });
    expect(before.degraded).toBeUndefined();
    await vi.waitFor(async () => expect(await active()).toBe(BUILTIN_IDENTITY.model), PATIENTLY);
    expect(await pending()).toBe(0);
    expect((await recall(QUESTION)).memories).toMatchObject([{ id }]);
    const pushed = { embedding: [...ofLength(TABLE_IDENTITY)], embedding_status: "ok", model: TABLE_IDENTITY.model };
    expect(await ask("POST", `/memories/${id}/embedding`, pushed)).toMatchObject({ id });
    expect((await recall(QUESTION)).memories).toMatchObject([{ id }]);
  });

  it("leaves a store on its own model when it has four vectors of that", async () => {
    const other = { ...E5, model: "local/another", revision: "1" };
    await storeOfBefore(E5, BGE, TABLE_IDENTITY, other);
    const { active, recall, pending } = await open(SENTENCES);
    expect(await active()).toBe(E5.model);
    expect(await pending()).toBe(0);
    const degraded = [{ leg: "vector", reason: "no_embedder" }];
    expect(await recall("weather in the sidebar")).toMatchObject({ count: 1, search: "fts5", degraded });
  });

  it("answers a question in an unknown script by words, and misses nothing", async () => {
    const { remember, recall, pending } = await open(SENTENCES);
    const { memory_id } = await remember("Резервные копии хранятся тридцать дней.");
    await remember("Обед начинается в полдень.");
    await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENTLY);
    const found = await recall("сколько хранятся копии");
    expect(found).toMatchObject({ search: "fts5", memories: [{ id: memory_id }] });
    expect(found.degraded).toBeUndefined();
  });

  it.each([
    ["eleven scripts", "deploy развёртывание 部署 デプロイ 배포 نشر פריסה ανάπτυξη การ தமிழ் გაშვება"],
    ["an emoji", "🚀"],
    ["a family of emoji", "👨‍👩‍👧‍👦"],
    ["base64", Buffer.from("chest".repeat(900)).toString("base64")],
    ["8,000 Han characters", "部署失败后回滚数据库".repeat(800)],
    ["one letter, 8,000 times", "a".repeat(8000)],
    ["accents on one letter", `d${"\u0301\u0327".repeat(2000)}eploy`],
  ])("stores a text, embeds it, and finds it by itself: %s", async (_, content) => {
    const { remember, ask, pending, warn } = await open(SENTENCES);
    await remember("Interviews are held in the small room.");
    const { memory_id } = await remember(content);
    await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENTLY);
    const question = { query: content, max_tokens: 20_000, mark_accessed: false };
    const { result } = await ask("POST", "/api/tools/chest_recall", question);
    expect(result.memories[0]).toMatchObject({ id: memory_id });
    expect(result.degraded).toBeUndefined();
    expect(warn).not.toHaveBeenCalled();
  });

  it("answers by words, and says so, where its thread dies in the middle of a question", async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker) => void workers.push(worker);
    process.on("worker", note);
    endings.push(() => void process.off("worker", note));
    const { remember, recall, pending } = await open(SENTENCES);
    const { memory_id } = await remember(CONTENT);
    await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENTLY);
    expect(await recall(QUESTION)).toMatchObject({ search: "fts5+vector" });

    const asked = recall("weather in the sidebar");
    // The search threads of the store come first.
    await workers.at(-1)?.terminate();

    const degraded = [{ leg: "vector", reason: "failed" }];
    expect(await asked).toMatchObject({ search: "fts5", degraded, memories: [{ id: memory_id }] });
  });

  it.each(["missing", "damaged"])(
    "is left out where its file is %s, so that recall uses words only and says so",
    async (how) => {
      const path = join(dataDir, "sentences.model");
      if (how === "damaged") writeFileSync(path, "damaged");
      const { remember, recall, warn } = await open(SENTENCES, { sentences: path });
      expect((await remember(CONTENT)).embedding).toMatchObject({ status: "pending" });
      await vi.waitFor(() => expect(warn).toHaveBeenCalled(), PATIENTLY);
      const found = await recall("weather in the sidebar");
      expect(found).toMatchObject({ count: 1, search: "fts5", degraded: [{ leg: "vector", reason: "failed" }] });
    },
  );
});
