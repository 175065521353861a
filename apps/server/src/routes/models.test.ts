import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, cutAfter, FIXTURE_ENV, fixtureModels, type Hub, stallAfter, startHub } from "@chest/models/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "../config.ts";
import { type ModelFiles, openModelFiles } from "../model-files.ts";
import { openApp } from "../testing/app.ts";
import { TOKEN } from "../testing/token.ts";

const MODEL = FIXTURE_ENV.CHEST_EMBED_MODEL;
const WEIGHTS = "onnx/model_quantized.onnx";

vi.setConfig({ testTimeout: 30_000 });

let hub: Hub;
let modelsDir: string;
beforeAll(async () => {
  hub = await startHub(await fixtureModels());
});
afterAll(() => hub.stop());
beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), "chest-models-"));
});
const opened: ModelFiles[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((models) => models.close()));
  await rm(modelsDir, { recursive: true, force: true });
});
/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };

/** @param canRun replaces the check for the library that runs models, which tests have installed. */
async function open(env: Record<string, string> = {}, canRun?: () => boolean) {
  const settings = { ...FIXTURE_ENV, CHEST_MODELS_DIR: modelsDir, HF_ENDPOINT: hub.url, ...env };
  const { config } = readConfig({ CHEST_API_TOKEN: TOKEN, ...settings });
  const models = openModelFiles(config, { info: vi.fn(), warn: vi.fn() }, canRun);
  opened.push(models);
  const { app } = await openApp(settings, { models });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const list = async () => (await app.inject({ url: "/api/models", headers })).json();
  const state = async () => (await list()).models[0];
  const fetch = (model: string = MODEL) =>
    app.inject({ method: "POST", url: "/api/models", headers, payload: { model } });
  return { list, state, fetch };
}

it("downloads the configured model, and reports progress until it is complete", async () => {
  const { list, state, fetch } = await open();
  expect(await list()).toMatchObject({
    can_run: true,
    models: [{ id: MODEL, use: "embedding", is_configured: true, state: "missing", received_bytes: 0, trouble: null }],
  });
  hub.next(WEIGHTS, stallAfter(50_000));

  expect((await fetch()).json()).toEqual({ model: MODEL });
  await expect.poll(() => hub.requests.at(-1)?.path, PATIENCE).toContain("/cdn/");
  await expect.poll(async () => (await state()).received_bytes, PATIENCE).toBeGreaterThan(50_000);
  expect(await state()).toMatchObject({ state: "fetching" });
});

it("begins once, however often it is requested, and not at all for a complete model", async () => {
  const { state, fetch } = await open();
  const before = hub.requests.length;
  await Promise.all([fetch(), fetch()]);
  await expect.poll(async () => (await state()).state, PATIENCE).toBe("here");
  const asked = hub.requests.length - before;
  expect(asked).toBeGreaterThan(0);

  expect((await fetch()).statusCode).toBe(200);
  expect(hub.requests.length - before).toBe(asked);
  expect(await state()).toMatchObject({ state: "here", received_bytes: 0 });
});

it("says why a download failed, and continues it when requested again", async () => {
  const { state, fetch } = await open();
  hub.next(WEIGHTS, answer(404));
  await fetch();
  await expect.poll(async () => (await state()).state, PATIENCE).toBe("failed");
  expect((await state()).trouble).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("404") });

  hub.next(WEIGHTS, cutAfter(50_000));
  await fetch();
  await expect.poll(async () => (await state()).state, PATIENCE).toBe("here");
  expect((await state()).trouble).toBeNull();
});

it("names the host that does not answer where there is no network", async () => {
  const { state, fetch } = await open({ HF_ENDPOINT: "http://127.0.0.1:9" });
  await fetch();
  await expect
    .poll(async () => (await state()).trouble, PATIENCE)
    .toMatchObject({
      code: "BACKEND_UNREACHABLE",
      message: expect.stringContaining("127.0.0.1:9"),
    });
});

it("offers the default model where none is named, and the reranker that is switched on", async () => {
  const none = { CHEST_EMBED_MODEL: "builtin", CHEST_EMBED_DIMENSIONS: "", CHEST_EMBED_POOLING: "" };
  const prefixes = { CHEST_EMBED_QUERY_PREFIX: "", CHEST_EMBED_PASSAGE_PREFIX: "" };
  const { list } = await open({ ...none, ...prefixes, CHEST_RERANK_ENABLED: "1" });

  expect((await list()).models).toMatchObject([
    { id: "Xenova/bge-m3", is_configured: false, state: "missing", total_bytes: 586_779_294 },
    { use: "reranking", is_configured: true, state: "missing" },
  ]);
});

it("refuses a model that it does not run", async () => {
  const { fetch } = await open();
  const refused = await fetch("acme/other");
  expect(refused.statusCode).toBe(404);
  expect(refused.json().error).toMatchObject({ code: "NOT_FOUND", hint: expect.stringContaining(MODEL) });
});

it("refuses to download a model that nothing here can run, with the command that changes this", async () => {
  const { list, fetch } = await open({}, () => false);

  expect(await list()).toMatchObject({ can_run: false });
  const refused = await fetch();
  expect(refused.statusCode).toBe(422);
  expect(refused.json().error.hint).toContain("chest-index fetch-model");
});
