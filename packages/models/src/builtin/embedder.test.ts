import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLE_IDENTITY } from "@chest/core/embedding";
import type { Embedder } from "@chest/core/ports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosine, vectorOf as vectorIn } from "../testing/nearness.ts";
import { openBuiltinEmbedder } from "./embedder.ts";

const never = new AbortController().signal;
const TABLE = join(import.meta.dirname, "terms.table");
/** Hash of the table of this version. A new one comes with a new revision in `TABLE_IDENTITY`. */
const SHA256 = "e2ba92edfab24979b066a137b12c26b4fa78fcae02f55d947dec58d407359e1d";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-table-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const vectorOf = (text: string, embedder: Embedder = openBuiltinEmbedder()) => vectorIn(text, embedder);
const near = async (a: string, b: string) => cosine(await vectorOf(a), await vectorOf(b));

describe("the table that comes with Chest", () => {
  it("is the one that its identity names", async () => {
    const file = await readFile(TABLE);
    expect(createHash("sha256").update(file).digest("hex")).toBe(SHA256);
    expect(file.length).toBeLessThanOrEqual(12_000_000);
  });

  it("says that it can be used, under an identity of its own", async () => {
    const embedder = openBuiltinEmbedder();
    expect(embedder.identity).toEqual(TABLE_IDENTITY);
    expect(await embedder.state()).toEqual({ isUsable: true });
  });

  it.each([
    ["the deployment failed", "部署失败了"],
    ["the deployment failed", "デプロイに失敗しました"],
    ["the deployment failed", "배포가 실패했습니다"],
    ["delete the user's account", "用户账号的删除"],
    ["the password has expired", "パスワードの有効期限が切れています"],
    ["not enough disk space", "디스크 공간이 부족합니다"],
  ])("puts what means the same near each other in two languages: %s, %s", async (english, other) => {
    const same = await near(english, other);
    for (const else_ of ["the meeting is on Monday morning", "月曜日の会議", "星期一开会", "월요일 회의"])
      expect(same).toBeGreaterThan(await near(english, else_));
  });
});

describe("the telling terms of a text", () => {
  const { tellingTerms } = openBuiltinEmbedder();

  it.each([
    ["", 0],
    ["🚀", 0],
    ["of the", 0],
    ["zzqxj-4711", 0],
    ["오류 코드 Z9999", 2],
    ["연차", 0],
  ])("%j has %i", (text, count) => {
    expect(tellingTerms?.(text)).toBe(count);
  });

  it("are more in a sentence than in a word", () => {
    const [word = 0, sentence = 0] = ["数据库", "数据库备份保留多久"].map((text) => tellingTerms?.(text));
    expect(word).toBeGreaterThan(0);
    expect(sentence).toBeGreaterThan(word);
  });

  it("are not known where there is no table", () => {
    expect(openBuiltinEmbedder(join(dir, "none")).tellingTerms?.("a word")).toBeUndefined();
  });
});

describe("the closeness of texts to a question", () => {
  const { closeness } = openBuiltinEmbedder();
  const QUESTION = "Wie lange? 数据库备份保留多久";

  it("is in their order, and 1 for the same text", () => {
    const [other, same] = closeness?.(QUESTION, [{ text: "The canteen opens at noon" }, { text: QUESTION }]) ?? [];
    expect(same).toEqual({ cosine: expect.closeTo(1, 5), byTerm: expect.closeTo(1, 5) });
    expect(other?.byTerm).toBeLessThan(0.6);
    expect(other?.cosine).toBeLessThan(0.3);
  });

  it("finds by its terms what the sum of a long text blurs", () => {
    const about = "Database backups are kept for thirty days.";
    const blurred = `${about} The canteen opens at noon, the lift is out of order, and the parking garage closes at ten.`;
    const [brief, long] = closeness?.("database backup", [{ text: about }, { text: blurred }]) ?? [];
    expect(long?.byTerm).toBeCloseTo(brief?.byTerm ?? 0, 5);
    expect(long?.cosine).toBeLessThan(0.8 * (brief?.cosine ?? 0));
  });

  it("takes a share of what is said beside a short text, and little of it where the text is long", () => {
    const lenders = [{ text: "How long are database backups kept?", share: 0.5 }];
    const nearness = (text: string) => {
      const [alone, lent] = closeness?.("database backup", [{ text }, { text, lenders }]) ?? [];
      expect(lent?.cosine).toBe(alone?.cosine);
      return (lent?.byTerm ?? 0) - (alone?.byTerm ?? 0);
    };
    expect(nearness("Seven days.")).toBeGreaterThan(0.1);
    expect(nearness("The canteen opens at noon, the lift is out of order. ".repeat(15))).toBeLessThan(0.01);
  });

  it("is the cosine of their vectors", async () => {
    const text = "Requests time out while a report keeps its transaction open.";
    expect(closeness?.(QUESTION, [{ text }])?.[0]?.cosine).toBeCloseTo(await near(QUESTION, text), 4);
  });

  it.each([
    ["nothing", ""],
    ["an emoji", "🚀"],
  ])("is none to %s", (_, text) => {
    expect(closeness?.("deploy", [{ text }])).toEqual([{ cosine: 0, byTerm: 0 }]);
  });

  it("is not known for a question of unknown terms, nor where there is no table", () => {
    expect(closeness?.("🚀", [{ text: "deploy" }])).toBeUndefined();
    expect(openBuiltinEmbedder(join(dir, "none")).closeness?.("deploy", [{ text: "deploy" }])).toBeUndefined();
  });
});

describe("a text as a vector of the table", () => {
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
    ["numbers", "1024 0x1F 10,000"],
  ])("has length 1, and is the same each time: %s", async (_, text) => {
    const [first, second] = await Promise.all([vectorOf(text), vectorOf(text)]);
    expect(first).toHaveLength(TABLE_IDENTITY.dimensions);
    expect(cosine(first, first)).toBeCloseTo(1, 5);
    expect(second).toEqual(first);
  });

  it("is the same as a question and as a passage, alone and among others", async () => {
    const text = "The certificate expired on a Sunday";
    const passages = await openBuiltinEmbedder().embedPassages(["other", text, ""], never);
    expect(passages?.[1]).toEqual({ vector: await vectorOf(text), isCut: false });
    expect(passages).toHaveLength(3);
  });

  it("is far from others where no term is known", async () => {
    expect(Math.abs(await near("🚀", "🐢"))).toBeLessThan(0.5);
    expect(await near("🚀", "🚀")).toBeCloseTo(1, 5);
  });

  it("does not depend on how characters are composed, nor on their width", async () => {
    expect(await vectorOf("デプロイ".normalize("NFD"))).toEqual(await vectorOf("デプロイ"));
    expect(await vectorOf("ＤＥＰＬＯＹ ﾃﾞﾌﾟﾛｲ")).toEqual(await vectorOf("deploy デプロイ"));
  });
});

describe("a table that cannot be used", () => {
  it.each([
    ["missing", undefined, /cannot be read \(ENOENT\)/],
    ["empty", Buffer.alloc(0), /not an embedding table/],
    ["cut off", "cut", /cut off/],
    ["damaged", "damaged", /damaged/],
  ])("gives no vectors, and says why: %s", async (name, content, message) => {
    const path = join(dir, name);
    if (content !== undefined) await writeFile(path, await contentOf(content));
    const embedder = openBuiltinEmbedder(path);
    const unusable = {
      isUsable: false,
      reason: "failed",
      message: expect.stringMatching(message),
      hint: "install this version of Chest again",
    };
    expect(await embedder.state()).toEqual(unusable);
    expect(await embedder.embedQuery("deploy", never)).toBeUndefined();
    expect(await embedder.embedPassages(["deploy"], never)).toBeUndefined();
    expect(await embedder.state()).toEqual(unusable);
  });

  async function contentOf(content: Buffer | string): Promise<Buffer> {
    if (Buffer.isBuffer(content)) return content;
    const file = await readFile(TABLE);
    if (content === "cut") return file.subarray(0, -1000);
    file[file.length >> 1] = (file[file.length >> 1] ?? 0) ^ 1;
    return file;
  }
});
