import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Tokens } from "../model.ts";
import { loadSentences } from "./load.ts";
import { openModelFile, WIDTH } from "./model-file.ts";

const MODEL = join(import.meta.dirname, "sentences.model");
/** Hash of the model of this version. Another one comes with a new revision in `BUILTIN_IDENTITY`. */
const SHA256 = "406fa0dbfe9cbbf2b172ee4066b2c22083242ddf9ddbe4f1789cf82f555e3dce";

interface Reference {
  readonly lang: string;
  readonly text: string;
  readonly pieces: readonly string[];
  readonly vector: string;
}
const REFERENCES: readonly Reference[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "testing/reference.json"), "utf8"),
);
/** Cosines to the 8-bit model that this one comes from: least and median, where all letters have rows of 4 bits and elsewhere. */
const NEAR = { cjk: [0.985, 0.995], latin: [0.93, 0.98] } as const;

const model = loadSentences(MODEL);
const pieces = openModelFile(MODEL).pieces.split("\n");

describe("the sentence model that comes with Chest", () => {
  it("is the one that its identity names", () => {
    const file = readFileSync(MODEL);
    expect(createHash("sha256").update(file).digest("hex")).toBe(SHA256);
    expect(file.length).toBeLessThanOrEqual(24_000_000);
  });

  it.each(REFERENCES)("cuts a text as SentencePiece does: $text", ({ text, pieces: expected }) => {
    const ids = model.tokenize(text, undefined).ids;
    expect(ids.map((id) => pieces[id])).toEqual(expected);
  });

  it.each([
    ["cjk", ["en", "ja", "zh", "ko"]],
    ["latin", ["de", "fr", "es"]],
  ] as const)("makes much the same vectors as the model that it comes from: %s", async (kind, langs) => {
    const own = REFERENCES.filter(({ lang }) => (langs as readonly string[]).includes(lang));
    const vectors = await vectorsOf(own.map(({ text }) => model.tokenize(text, undefined)));
    const cosines = own
      .map(({ vector }, at) => cosine(vectors[at] as Float32Array, new Int8Array(Buffer.from(vector, "base64"))))
      .sort((a, b) => a - b);
    const [least, median] = NEAR[kind];
    expect(cosines[0]).toBeGreaterThan(least);
    expect(cosines[cosines.length >> 1]).toBeGreaterThan(median);
  });

  it("reads one unknown piece where characters in a row are unknown, and a pair of surrogates as one of them", () => {
    const ids = (text: string) => model.tokenize(text, undefined).ids;
    expect(ids("deploy 🪿🪿🪿 now")).toEqual(ids("deploy ᚠ now"));
    expect(ids("🪿")).toHaveLength(4);
    expect(ids("")).toEqual(ids(" \n\t"));
  });

  it("reads a long text as far as its last piece, and says so", async () => {
    const long = model.tokenize("部署失败后回滚数据库".repeat(800), undefined);
    expect(long.isCut).toBe(true);
    expect(long.ids).toHaveLength(1024);
    const [vector] = await vectorsOf([long]);
    expect(vector).toHaveLength(WIDTH);
    expect(model.tokenize("部署失败后回滚数据库", undefined).isCut).toBe(false);
  });

  it("gives a brief text its vector in a pause of a long one, and both are what they are alone", async () => {
    const [long, brief] = ["部署失败后回滚数据库".repeat(800), "The volume has no room left."];
    const [alone, other] = await vectorsOf([long, brief].map((text) => model.tokenize(text, undefined)));
    expect([model.isBrief?.(long), model.isBrief?.(brief)]).toEqual([false, true]);

    const steps = model.compute([model.tokenize(long, undefined)]);
    let pauses = 0;
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done) {
        expect(step.value).toEqual([alone]);
        break;
      }
      pauses += 1;
      expect(await vectorsOf([model.tokenize(brief, undefined)])).toEqual([other]);
    }
    expect(pauses).toBeGreaterThan(20);
  });
});

/** Vectors of texts, without heed of the pauses. */
async function vectorsOf(batch: readonly Tokens[]): Promise<readonly Float32Array[]> {
  const steps = model.compute(batch);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
  }
}

function cosine(a: Float32Array, b: Int8Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const y = b[at] as number;
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return product / Math.sqrt(ofA * ofB);
}
