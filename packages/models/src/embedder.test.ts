import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Embedder } from "@chest/core/ports";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openEmbedder } from "./embedder.ts";
import type { HubOptions } from "./hub-model.ts";
import type { EmbeddingSpec } from "./spec.ts";
import { FIXTURE_EMBEDDER, fixtureModels, OTHER_FIXTURE_EMBEDDER, writeFixtureModels } from "./testing/index.ts";

// Real threads and processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const never = new AbortController().signal;
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

let modelsDir: string;
const opened: Embedder[] = [];

function open(spec: EmbeddingSpec = FIXTURE_EMBEDDER, options: Partial<HubOptions> = {}): Embedder {
  const embedder = openEmbedder(spec, { modelsDir, ...options });
  opened.push(embedder);
  return embedder;
}

beforeAll(async () => {
  modelsDir = await fixtureModels();
});
afterAll(async () => {
  await Promise.all(opened.map((embedder) => embedder.close()));
});

const embed = async (embedder: Embedder, texts: readonly string[]) => {
  const embeddings = await embedder.embedPassages(texts, never);
  if (!embeddings) throw new Error("there are no vectors");
  return embeddings;
};

describe.each([FIXTURE_EMBEDDER, OTHER_FIXTURE_EMBEDDER])(
  "a model of $dimensions numbers, pooled by $pooling",
  (spec) => {
    let embedder: Embedder;
    beforeAll(() => {
      embedder = open(spec);
    });

    const near = async (a: string, b: string) => {
      const [x, y] = await embed(embedder, [a, b]);
      return cosine((x as { vector: Float32Array }).vector, (y as { vector: Float32Array }).vector);
    };

    it.each([
      ["the deploy failed because of the database", "배포 데이터베이스 문제"],
      ["会議のデータベースを更新した", "database meeting"],
      ["数据库部署出了错误", "deploy defect in postgres"],
      ["숙소 근처 병원", "the physician near home"],
      ["the zebra jumped over the quokka", "over the quokka the zebra jumped"],
      ["東京の地下鉄は便利だ", "東京の地下鉄路線図"],
    ])("puts `%s` near `%s`", async (a, b) => {
      expect(await near(a, b)).toBeGreaterThan(0.55);
    });

    it.each([
      ["the weather is fine today", "deploy bug"],
      ["東京の地下鉄は便利だ", "北海道の牛乳"],
      ["the zebra jumped over the quokka", "my favourite tennis racket broke"],
    ])("puts `%s` far from `%s`", async (a, b) => {
      expect(await near(a, b)).toBeLessThan(0.45);
    });

    it("makes vectors of length 1 and of its dimensions", async () => {
      for (const { vector } of await embed(embedder, ["a", "", "。", "long ".repeat(300)])) {
        expect(vector).toHaveLength(spec.dimensions);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }
    });

    it("makes the same vector of a text whatever stands beside it, in the order that was asked", async () => {
      const texts = Array.from(
        { length: 70 },
        (_, at) => `note ${at} on the server ${"and more ".repeat((at * 37) % 90)}`,
      );
      const together = await embed(embedder, texts);
      for (const at of [0, 1, 33, 69]) {
        const [alone] = await embed(embedder, [texts[at] as string]);
        expect(cosine(together[at]?.vector as Float32Array, alone?.vector as Float32Array)).toBeCloseTo(1, 5);
      }
    });

    it("says which texts were cut, and reads their heads", async () => {
      const long = `the database ${"x ".repeat(2000)}`;
      const [short, cut, cutEarly] = await embed(embedder, ["short", long, "y".repeat(1_000_000)]);
      expect([short?.isCut, cut?.isCut, cutEarly?.isCut]).toEqual([false, true, true]);
      const [same] = await embed(embedder, [`${long}and a meeting that nobody reads of`]);
      expect(cosine(same?.vector as Float32Array, cut?.vector as Float32Array)).toBeCloseTo(1, 5);
    });
  },
);

it("embeds a question with the prefix of questions, and a passage with that of passages", async () => {
  const prefixed = open();
  const bare = open({ ...FIXTURE_EMBEDDER, queryPrefix: "", passagePrefix: "" });
  const vectors = async (text: string) => (await embed(bare, [text]))[0]?.vector as Float32Array;
  const question = (await prefixed.embedQuery("blue server", never)) as Float32Array;
  const passage = (await embed(prefixed, ["blue server"]))[0]?.vector as Float32Array;
  expect(cosine(question, await vectors("query: blue server"))).toBeCloseTo(1, 5);
  expect(cosine(passage, await vectors("passage: blue server"))).toBeCloseTo(1, 5);
  expect(cosine(question, passage)).toBeLessThan(0.999);
});

it("computes a question once", async () => {
  const embedder = open();
  const first = await embedder.embedQuery("the same again", never);
  expect(await embedder.embedQuery("the same again", never)).toBe(first);
  for (let at = 0; at < 256; at++) await embedder.embedQuery(`another ${at}`, never);
  expect(await embedder.embedQuery("the same again", never)).not.toBe(first);
});

it("answers a question before the rest of a long list of passages", async () => {
  const embedder = open();
  await embedder.embedQuery("load it", never);
  const order: string[] = [];
  const texts = Array.from({ length: 600 }, (_, at) => `passage ${at} ${"words ".repeat(40)}`);
  const passages = embed(embedder, texts).then(() => order.push("passages"));
  await embedder.embedQuery("urgent", never).then(() => order.push("question"));
  await passages;
  expect(order).toEqual(["question", "passages"]);
});

it("gives up at the signal, and goes on with the next", async () => {
  const embedder = open();
  const texts = Array.from({ length: 600 }, (_, at) => `passage ${at} ${"words ".repeat(40)}`);
  const stop = new AbortController();
  const abandoned = embedder.embedPassages(texts, stop.signal);
  stop.abort();
  expect(await abandoned).toBeUndefined();
  expect(await embedder.embedQuery("next", AbortSignal.abort())).toBeUndefined();
  expect(await embedder.embedQuery("next", never)).toHaveLength(128);
});

it("loads nothing before it is asked, and gives the memory back when nothing comes", async () => {
  const told: string[] = [];
  const log = { info: (_: object, message: string) => told.push(message), warn: () => undefined };
  const embedder = open(FIXTURE_EMBEDDER, { idleMs: 30, log });
  expect(await embedder.state()).toEqual({ isUsable: true });
  expect(told).toEqual([]);
  await embed(embedder, ["a"]);
  await expect.poll(() => told).toEqual(["model loaded", "model unloaded: nothing to do"]);
  expect(await embedder.embedQuery("b", never)).toHaveLength(128);
  expect(told).toHaveLength(3);
});

it("ends with its work undone when it is closed", async () => {
  const embedder = open();
  const asked = embed(embedder, ["a"]).catch(({ message }) => message);
  await embedder.close();
  expect(await asked).toBe("there are no vectors");
  expect(await embedder.embedQuery("b", never)).toBeUndefined();
});

describe("without a whole model", () => {
  let broken: string;
  const folder = () => join(broken, "fixture", "words");
  const weights = () => join(folder(), "onnx", "model_quantized.onnx");

  beforeEach(async () => {
    broken = await mkdtemp(join(tmpdir(), "chest-models-"));
    await cp(join(modelsDir, "fixture"), join(broken, "fixture"), { recursive: true });
  });
  afterEach(() => rm(broken, { recursive: true }));

  it("says what is missing and how to get it, has no vectors, and recovers when it is back", async () => {
    await rename(weights(), `${weights()}.away`);
    const embedder = open(FIXTURE_EMBEDDER, { modelsDir: broken });
    expect(await embedder.state()).toEqual({
      isUsable: false,
      reason: "no_model",
      isPartial: true,
      message: expect.stringMatching(/`fixture\/words` is incomplete in `.*words`: onnx\/model_quantized\.onnx$/),
      hint: "`chest-index fetch-model` downloads it",
    });
    expect(await embedder.embedQuery("a", never)).toBeUndefined();
    expect(await embedder.embedPassages(["a"], never)).toBeUndefined();
    await rename(`${weights()}.away`, weights());
    await vi.waitFor(async () => expect(await embedder.state()).toEqual({ isUsable: true }), 5000);
    expect(await embedder.embedQuery("a", never)).toHaveLength(128);
  });

  it("goes on with a model that is in memory, and notices its absence when it must load again", async () => {
    const embedder = open(FIXTURE_EMBEDDER, { modelsDir: broken, idleMs: 30 });
    await embedder.embedQuery("a", never);
    await rm(weights());
    await expect.poll(async () => (await embedder.state()).isUsable).toBe(false);
  });

  it("knows a file of another size than it must have for missing", async () => {
    const files = FIXTURE_EMBEDDER.files.map((file) => ({ ...file, bytes: 1 }));
    const embedder = open({ ...FIXTURE_EMBEDDER, files }, { modelsDir: broken });
    expect(await embedder.state()).toMatchObject({ isUsable: false, reason: "no_model" });
  });

  it.each([
    ["cut weights", () => truncate(weights(), 5000)],
    ["weights that are none", () => writeFile(weights(), "not a model")],
    ["a tokenizer that is none", () => writeFile(join(folder(), "tokenizer.json"), "{}")],
    ["a config that is none", () => writeFile(join(folder(), "config.json"), "<html>")],
  ])("is not usable with %s, and does not try again at once", async (_, spoil) => {
    await spoil();
    const tries: object[] = [];
    const log = { info: () => undefined, warn: (fields: object) => tries.push(fields) };
    const embedder = open(FIXTURE_EMBEDDER, { modelsDir: broken, log });
    expect(await embedder.embedQuery("a", never)).toBeUndefined();
    expect(await embedder.state()).toMatchObject({
      isUsable: false,
      reason: "failed",
      message: expect.stringContaining("does not load"),
      hint: expect.stringContaining("fetch-model --verify"),
    });
    expect(await embedder.embedQuery("a", never)).toBeUndefined();
    expect(tries).toHaveLength(1);
  });

  it("tries again after a while", async () => {
    await truncate(weights(), 5000);
    const embedder = open(FIXTURE_EMBEDDER, { modelsDir: broken, retryAfterMs: 100 });
    expect(await embedder.embedQuery("a", never)).toBeUndefined();
    await cp(join(modelsDir, "fixture"), join(broken, "fixture"), { recursive: true });
    await expect.poll(() => embedder.embedQuery("a", never), { timeout: 5000 }).toHaveLength(128);
  });

  it("is not usable when the model makes vectors of another size", async () => {
    const embedder = open({ ...FIXTURE_EMBEDDER, dimensions: 96 }, { modelsDir: broken });
    expect(await embedder.embedQuery("a", never)).toBeUndefined();
    expect(await embedder.state()).toMatchObject({ message: expect.stringContaining("makes 128 numbers, and not 96") });
  });
});

it("writes the fixture models the same each time, and small", async () => {
  const again = await mkdtemp(join(tmpdir(), "chest-models-"));
  try {
    await writeFixtureModels(again);
    const files = (await readdir(again, { recursive: true })).filter((path) => /\.\w+$/.test(path));
    expect(files).toHaveLength(15);
    for (const path of files) {
      const written = await readFile(join(again, path));
      expect(written.equals(await readFile(join(modelsDir, path)))).toBe(true);
      expect(written.length).toBeLessThan(600_000);
    }
  } finally {
    await rm(again, { recursive: true });
  }
});

describe("a program that waits for nothing but its model", () => {
  it("gets its vectors, and ends by itself", async () => {
    const folder = await mkdtemp(join(tmpdir(), "chest-models-alone-"));
    const program = join(folder, "program.mjs");
    const [embedderFile, spec, options] = [new URL("./embedder.ts", import.meta.url), FIXTURE_EMBEDDER, { modelsDir }];
    await writeFile(
      program,
      `const { openEmbedder } = await import(${JSON.stringify(embedderFile)});
      const embedder = openEmbedder(${JSON.stringify(spec)}, ${JSON.stringify(options)});
      const vectors = await embedder.embedPassages(["database"], new AbortController().signal);
      console.log(vectors[0].vector.length);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout.trim()).toBe(String(FIXTURE_EMBEDDER.dimensions));
    await rm(folder, { recursive: true });
  });
});

it("keeps the loop of its process turning while a model loads and embeds", async () => {
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  const embedder = open();
  await embed(
    embedder,
    Array.from({ length: 600 }, (_, at) => `note ${at} on the server ${"and more ".repeat(at % 90)}`),
  );
  clearInterval(turning);

  // Work on this thread would leave a turn to each message of the other one, at most.
  expect(turns).toBeGreaterThan(10);
});
