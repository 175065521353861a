import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import type { Embedder } from "@chest/core/ports";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cosine, vectorOf as vectorIn } from "../testing/nearness.ts";
import { openSentenceEmbedder } from "./embedder.ts";

// A real thread, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const never = new AbortController().signal;
const MODEL = join(import.meta.dirname, "sentences.model");

let dir: string;
const embedder = openSentenceEmbedder();
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-sentences-"));
});
afterAll(async () => {
  await embedder.close();
  await rm(dir, { recursive: true, force: true });
});

const vectorOf = (text: string, by: Embedder = embedder) => vectorIn(text, by);
const near = async (a: string, b: string) => cosine(await vectorOf(a), await vectorOf(b));

it("says that it can be used, under an identity of its own", async () => {
  expect(embedder.identity).toEqual(BUILTIN_IDENTITY);
  expect(await embedder.state()).toEqual({ isUsable: true });
});

it.each([
  ["We are out of disk space", "The volume has no room left"],
  ["the deployment failed", "部署失败了"],
  ["the deployment failed", "デプロイに失敗しました"],
  ["the deployment failed", "배포가 실패했습니다"],
  ["the deployment failed", "Das Ausrollen ist fehlgeschlagen"],
])("puts what means the same near each other: %s, %s", async (english, other) => {
  const same = await near(english, other);
  for (const else_ of ["lunch is at noon on Mondays", "月曜日の昼食", "星期一的午饭", "월요일 점심"])
    expect(same).toBeGreaterThan(await near(english, else_));
});

describe("a text as a vector of the sentence model", () => {
  it.each([
    ["a sentence", "Requests time out while a report keeps its transaction open."],
    ["nothing", ""],
    ["blanks", " \n\t "],
    ["an emoji", "🚀"],
    ["a family of emoji", "👨‍👩‍👧‍👦"],
    ["8,000 Han characters", "部署失败后回滚数据库".repeat(800)],
    ["base64", Buffer.from("chest".repeat(2000)).toString("base64")],
    ["half a surrogate pair", "deploy \ud83d"],
    ["a control character", "a\0b"],
    ["Thai", "การปรับใช้ล้มเหลว"],
    ["eleven scripts", "deploy развёртывание 部署 デプロイ 배포 نشر פריסה ανάπτυξη การ தமிழ் გაშვება"],
    ["numbers", "1024 0x1F 10,000"],
  ])("has length 1, and is nearest to the same passage: %s", async (_, text) => {
    const vector = await vectorOf(text);
    expect(vector).toHaveLength(BUILTIN_IDENTITY.dimensions);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    const passages = await embedder.embedPassages(["other", text, "развёртывание"], never);
    expect(passages).toHaveLength(3);
    const cosines = (passages ?? []).map((passage) => cosine(passage.vector, vector));
    expect(cosines.indexOf(Math.max(...cosines))).toBe(1);
    expect(cosines[1]).toBeGreaterThan(0.85);
  });

  it("takes from questions what they have in common, so that they lie further from each other than as passages", async () => {
    const texts = ["where is the token of the deploy job", "who reviews the translations", "何時に昼食ですか"];
    const passages = ((await embedder.embedPassages(texts, never)) ?? []).map(({ vector }) => vector);
    const questions = await Promise.all(texts.map((text) => vectorOf(text)));
    const meanOf = ([a, b, c]: readonly Float32Array[]) =>
      a && b && c ? (cosine(a, b) + cosine(a, c) + cosine(b, c)) / 3 : Number.NaN;
    expect(meanOf(questions)).toBeLessThan(meanOf(passages) - 0.03);
  });

  it.each([
    ["развёртывание не удалось", "обед в полдень"],
    ["การปรับใช้ล้มเหลว", "อาหารกลางวัน"],
    ["🚀", "🐢"],
  ])("is near to itself alone where its script is not known: %s", async (text, other) => {
    expect(Math.abs(await near(text, other))).toBeLessThan(0.3);
    expect(Math.abs(await near(text, "the deployment failed"))).toBeLessThan(0.3);
    expect(await near(text, text)).toBeCloseTo(1, 5);
  });

  it("says which passages are longer than it reads", async () => {
    const passages = await embedder.embedPassages(["short", "部署失败后回滚数据库".repeat(800)], never);
    expect(passages?.map(({ isCut }) => isCut)).toEqual([false, true]);
  });
});

it("gives no vector to the question in which its thread dies, says so, and makes vectors again after a while", async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on("worker", note);
  const dying = openSentenceEmbedder({ retryAfterMs: 300 });
  expect(await dying.embedQuery("deploy", never)).toHaveLength(BUILTIN_IDENTITY.dimensions);
  process.off("worker", note);

  const asked = dying.embedQuery("roll back", never);
  await workers[0]?.terminate();

  expect(await asked).toBeUndefined();
  expect(await dying.state()).toMatchObject({ isUsable: false, reason: "failed" });
  await expect.poll(() => dying.embedQuery("roll back", never), { timeout: 20_000 }).toBeDefined();
  await dying.close();
});

describe("a sentence model that cannot be used", () => {
  it.each([
    ["missing", undefined, /cannot be read \(ENOENT\)/],
    ["empty", Buffer.alloc(0), /not a sentence model/],
    ["cut off", "cut", /cut off/],
    ["longer", "longer", /more behind its end/],
    ["damaged", "damaged", /damaged/],
  ])("gives no vectors, and says why: %s", async (name, content, message) => {
    const path = join(dir, name);
    if (content !== undefined) await writeFile(path, await contentOf(content));
    const broken = openSentenceEmbedder({}, path);
    expect(await broken.embedQuery("deploy", never)).toBeUndefined();
    expect(await broken.embedPassages(["deploy"], never)).toBeUndefined();
    expect(await broken.state()).toEqual({
      isUsable: false,
      reason: "failed",
      message: expect.stringMatching(message),
      hint: "install this version of Chest again",
    });
    await broken.close();
  });

  async function contentOf(content: Buffer | string): Promise<Buffer> {
    if (Buffer.isBuffer(content)) return content;
    const file = await readFile(MODEL);
    if (content === "cut") return file.subarray(0, -1000);
    if (content === "longer") return Buffer.concat([file, Buffer.from("more")]);
    file[file.length >> 1] = (file[file.length >> 1] ?? 0) ^ 1;
    return file;
  }
});
