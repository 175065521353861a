import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import type { Env } from "@chest/runtime";
import { openLogger } from "@chest/runtime/logger";
import { afterEach, expect, it, vi } from "vitest";
import { buildApp } from "./app.ts";
import { compose } from "./compose.ts";
import { readConfig } from "./config.ts";
import { AUTHORIZATION, TOKEN } from "./testing/token.ts";

const PATIENTLY = { timeout: 20_000, interval: 100 };
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Opens a whole backend with the fixture model, which the tests call over HTTP. */
async function open(env: Env = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "chest-embedding-"));
  const modelsDir = join(dataDir, "models");
  cpSync(await fixtureModels(), modelsDir, { recursive: true });
  const { config } = readConfig({ CHEST_API_TOKEN: TOKEN, CHEST_DATA_DIR: dataDir, ...FIXTURE_ENV, ...env });
  const log = openLogger({ name: "test", level: "silent", to: 1 });
  const parts = await compose(config, log);
  const app = await buildApp({ ...parts, config, log });
  parts.embedding.start();
  endings.push(
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => parts.engine.close(),
    () => parts.embedding.close(),
    () => app.close(),
  );
  const ask = async (method: "GET" | "POST", url: string, payload?: object) =>
    (await app.inject({ method, url, headers: AUTHORIZATION, ...(payload ? { payload } : {}) })).json();
  const tool = async (name: string, input: object) => (await ask("POST", `/api/tools/${name}`, input)).result;
  return {
    modelsDir,
    ask,
    recall: (query: string) => tool("chest_recall", { query, mark_accessed: false }),
    remember: (content: string) =>
      tool("chest_remember", { entity_name: "acme", entity_kind: "project", layer: "learning", content }),
    pending: async () => (await ask("GET", "/memories/pending")).remaining,
    hasEmbedder: async () => (await ask("GET", "/capabilities")).server_has_embedder,
    state: async () => (await ask("GET", "/healthz")).embedding.state,
  };
}

it("embeds what it stores, and finds it by a question without a common word", async () => {
  const { ask, remember, recall, pending, hasEmbedder } = await open();
  const answer = await remember("the truck needs two approvals");
  await remember("lunch is at noon");
  expect(answer.embedding).toEqual({ status: "pending" });
  await vi.waitFor(async () => expect(await pending()).toBe(0), PATIENTLY);
  expect(await recall("自動車")).toMatchObject({
    search: "fts5+vector",
    memories: [{ id: answer.memory_id, match_reasons: expect.arrayContaining(["vector_only"]) }],
  });
  expect(await hasEmbedder()).toBe(true);
  expect((await ask("GET", "/healthz")).embedding).toEqual({
    provider: "words",
    model: FIXTURE_ENV.CHEST_EMBED_MODEL,
    dim: 128,
    state: "ok",
  });
}, 60_000);

it("goes on by words when its model is gone, says so, lets clients embed, and recovers when the model is back", async () => {
  const { modelsDir, ask, remember, recall, pending, hasEmbedder, state } = await open();
  renameSync(modelsDir, `${modelsDir}-away`);
  const { memory_id, embedding } = await remember("the rollout needs two approvals");
  expect(embedding).toEqual({
    status: "pending",
    text_for_embedding: "the rollout needs two approvals",
    content_sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect([await hasEmbedder(), await state()]).toEqual([false, "no_model"]);
  expect(await ask("GET", "/healthz")).toMatchObject({
    ok: true,
    embedding: { provider: "none", model: null, dim: null, state: "no_model" },
  });
  expect(await recall("approvals")).toMatchObject({
    memories: [{ id: memory_id }],
    degraded: [{ leg: "vector", reason: "no_embedder" }],
  });
  expect(await pending()).toBe(1);
  renameSync(`${modelsDir}-away`, modelsDir);
  await vi.waitFor(async () => expect([await hasEmbedder(), await state()]).toEqual([true, "ok"]), PATIENTLY);
  const next = await remember("a second rollout");
  expect(next.embedding).toEqual({ status: "pending" });
  await vi.waitFor(async () => expect(await pending()).toBe(1), PATIENTLY);
}, 60_000);

it("loads no model and lets clients embed when configured to", async () => {
  const { ask, remember, recall, hasEmbedder } = await open({ CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" });
  const { embedding } = await remember("the rollout needs two approvals");
  expect(embedding).toMatchObject({ status: "pending", text_for_embedding: "the rollout needs two approvals" });
  expect(await hasEmbedder()).toBe(false);
  expect((await ask("GET", "/healthz")).embedding).toEqual({ provider: "none", model: null, dim: null });
  expect((await recall("デプロイ")).degraded).toEqual([{ leg: "vector", reason: "no_embedder" }]);
}, 60_000);
