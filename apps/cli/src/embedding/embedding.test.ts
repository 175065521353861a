import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeBackend } from "@chest/client/testing";
import { localCaller } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import { noEmbedder } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { identityOf } from "@chest/models";
import {
  FIXTURE_EMBEDDER,
  FIXTURE_ENV,
  fixtureModels,
  OTHER_FIXTURE_EMBEDDER,
  OTHER_FIXTURE_ENV,
} from "@chest/models/testing";
import type { Env } from "@chest/runtime";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { captured } from "../testing/captured.ts";

const COUNT = 30;
const FIRST = identityOf(FIXTURE_EMBEDDER);
const OTHER = identityOf(OTHER_FIXTURE_EMBEDDER);

let dir: string;
let env: Env;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-cli-embedding-"));
  env = { CHEST_DATA_DIR: dir, CHEST_MODELS_DIR: join(dir, "models"), ...FIXTURE_ENV };
  cpSync(await fixtureModels(), join(dir, "models"), { recursive: true });
  const ago = { now: () => new Date(Date.now() - 3_600_000) };
  const engine = await openSqliteEngine({ path: join(dir, "chest.db"), clock: ago, active: FIRST });
  const executor = localExecutor(TOOLS, engine, { ...testPorts(), clock: ago, embedders: () => noEmbedder });
  for (let at = 0; at < COUNT; at++) {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", visibility: "private" };
    await executor.execute(
      "chest_remember",
      { ...fact, content: `fact ${at}` },
      aCall({ caller: localCaller(undefined) }),
    );
  }
  await engine.close();
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function json(words: string, over: Env = {}) {
  const { code, stdout, stderr } = await captured(`${words} --json`, { ...env, ...over });
  return { code, stderr, document: JSON.parse(stdout) };
}

describe("the backlog of a store, and another model for it", { timeout: 60_000 }, () => {
  it.each([
    ["pending-resync --batch-size many", "not a whole number"],
    ["pending-resync --timeout 0", "not a whole number from 1 to 600"],
    ["pending-resync --concurrency many", "not a whole number from 1 to 8"],
    ["reembed --batch-size 201", "not a whole number from 1 to 200"],
  ])("`%s` is refused before anything is done", async (words, message) => {
    const { code, stderr } = await captured(words, env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("names what is missing, and how to get it, before it begins", async () => {
    const { code, document } = await json("pending-resync", { CHEST_MODELS_DIR: join(dir, "none") });
    expect(code).toBe(2);
    expect(document.error).toMatchObject({
      hint: expect.stringContaining("fetch-model"),
      details: { reason: "MODEL_CACHE_MISSING" },
    });
    const other = await json("pending-resync", { CHEST_EMBED_MODEL: "local", ...UNDESCRIBED, CHEST_MODELS_DIR: dir });
    expect([other.code, other.document.error.details.reason]).toEqual([2, "IDENTITY_MISMATCH"]);
  });

  it("is counted even without a model", async () => {
    const without = { CHEST_MODELS_DIR: join(dir, "none") };
    expect(await json("pending-resync --dry-run", without)).toMatchObject({
      code: 0,
      document: { dry_run: true, remaining: COUNT, estimated_seconds: null },
    });
    const { code, stdout } = await captured("pending-resync --dry-run", { ...env, ...without });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${COUNT} memories lack a vector of .*\`chest-index fetch-model\``)),
    ]);
  });

  it("is estimated without a change, drained, and then empty", async () => {
    const estimate = await json("pending-resync --dry-run");
    expect(estimate.document).toEqual({ dry_run: true, remaining: COUNT, estimated_seconds: expect.any(Number) });
    const clamped = await json("pending-resync --dry-run --batch-size 500");
    expect([clamped.code, clamped.stderr]).toEqual([0, expect.stringContaining("so 200 is used")]);
    const { code, document } = await json("pending-resync --batch-size 7 --timeout 20");
    expect(code).toBe(0);
    expect(document).toMatchObject({ total_processed: COUNT, total_failed: 0, remaining: 0, exit_code: 0 });
    const ids = document.batches.flatMap(({ memory_ids }: { memory_ids: number[] }) => memory_ids);
    expect(new Set(ids).size).toBe(COUNT);
    expect(Math.max(...document.batches.map(({ memory_ids }: { memory_ids: number[] }) => memory_ids.length))).toBe(7);
    expect((await json("pending-resync")).document).toMatchObject({ total_processed: 0, remaining: 0, exit_code: 0 });
  });

  it("shows the progress of another model, switches to it when it covers the store, and drops the old one when told to", async () => {
    expect((await json("reembed --check", { ...UNDESCRIBED, ...OTHER_FIXTURE_ENV })).document).toMatchObject({
      model: OTHER,
      active: FIRST,
      live: COUNT,
      done: 0,
      share: 0,
      is_active: false,
    });
    expect((await json("status")).document.embedding).toMatchObject({
      active: FIRST,
      next: null,
      done: COUNT,
      pending: 0,
    });
    const changed = await json("reembed", { ...UNDESCRIBED, ...OTHER_FIXTURE_ENV });
    expect(changed.code).toBe(0);
    expect(changed.document).toMatchObject({ active: OTHER, embedded: COUNT, share: 1, is_active: true, dropped: 0 });
    const { embedding } = (await json("status")).document;
    expect(embedding).toMatchObject({ active: OTHER, done: COUNT, pending: 0 });
    expect(embedding.identities).toHaveLength(2);
    const dropped = await json("reembed --drop-old", { ...UNDESCRIBED, ...OTHER_FIXTURE_ENV });
    expect(dropped.document).toMatchObject({ embedded: 0, dropped: COUNT, exit_code: 0 });
    expect((await json("status")).document.embedding.identities).toHaveLength(1);
  });

  it("shows progress on stderr, beside the result", async () => {
    const { code, stdout, stderr } = await captured("reembed", env);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${COUNT} of ${COUNT} memories, 100.0 %`)]);
    expect(stderr).toMatch(/^embedded \d+, \d+ to go, \d+\/s/m);
    expect((await json("reembed", { ...UNDESCRIBED, ...OTHER_FIXTURE_ENV })).stderr).not.toContain("to go");
  });

  it("shows progress in lines", async () => {
    const { stdout } = await captured("status", env);
    expect(stdout).toContain(`embedding: 0 pending, \`${OTHER.model}\` ${COUNT} of ${COUNT} (100.0 %)\n`);
  });

  it("is changed where the store is", async () => {
    const { code, stderr } = await captured("reembed", {
      ...env,
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: "http://x.test",
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("on the store's machine: `CHEST_MODE=local chest-index reembed`"),
    ]);
  });
});

it("is sent again as often as `--max-retry` says when the backend cannot take it, and releases its claims", async () => {
  const item = { id: 7, text_for_embedding: "fact 7", content_sha1: "0".repeat(40), entity: "acme" };
  const asked: string[] = [];
  const backend = await startFakeBackend({
    capabilities: {
      features: ["pending-claim", "embedding-batch"],
      embedding: { ready: true, active: FIRST, accepted: [FIRST] },
    },
    other({ path, body }) {
      const kind = path.includes("claim") ? "claim" : path.includes("release") ? "release" : "push";
      const isCount = kind === "claim" && JSON.parse(body).cursor === Number.MAX_SAFE_INTEGER;
      asked.push(isCount ? "count" : kind);
      if (kind === "claim") return { status: 200, body: { ok: true, items: isCount ? [] : [item], remaining: 1 } };
      if (kind === "release") return { status: 200, body: { ok: true, released: 1 } };
      return { status: 500, body: { ok: false, error: { code: "INTERNAL_ERROR", message: "not now" } } };
    },
  });
  try {
    const words = `pending-resync --max-retry 0 --concurrency 1 --remote-url ${backend.url}`;
    const { code, document } = await json(words, { CHEST_API_TOKEN: "t".repeat(32) });
    expect([code, document.remaining, document.error?.code]).toEqual([2, 1, "INTERNAL_ERROR"]);
    expect(asked).toEqual(["claim", "push", "release", "count"]);
  } finally {
    await backend.stop();
  }
}, 60_000);

/** Variables that keep the name of the fixture model and remove its description. */
const UNDESCRIBED: Env = Object.fromEntries(
  Object.keys(FIXTURE_ENV)
    .filter((name) => name !== "CHEST_EMBED_MODEL")
    .map((name) => [name, undefined]),
);
