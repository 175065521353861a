import { BUILTIN_IDENTITY, KNOWN_IDENTITIES, TABLE_IDENTITY } from "@chest/core/embedding";
import { describe, expect, it } from "vitest";
import { KNOWN_EMBEDDERS, KNOWN_RERANKERS } from "./known-models.ts";
import { type NamedEmbedder, readEmbedder, readReranker } from "./read-spec.ts";
import { identityOf } from "./spec.ts";

const DESCRIBED = { CHEST_EMBED_MODEL: "acme/words", CHEST_EMBED_DIMENSIONS: 8, CHEST_EMBED_POOLING: "mean" } as const;

function modelOf(named: NamedEmbedder) {
  const choice = readEmbedder(named);
  if (typeof choice === "string" || !choice.model) throw new Error("no model was read");
  expect(choice.identity).toEqual(identityOf(choice.model));
  return choice.model;
}

describe("a known model", () => {
  it.each([undefined, "builtin", "builtin/sentences"])("is the sentence model that comes with Chest for %s", (name) => {
    expect(readEmbedder({ CHEST_EMBED_MODEL: name })).toEqual({ identity: BUILTIN_IDENTITY });
  });

  it("is the table that comes with Chest where that is named", () => {
    expect(readEmbedder({ CHEST_EMBED_MODEL: "builtin/terms" })).toEqual({ identity: TABLE_IDENTITY });
  });

  it("is none for `none`: a store that has no vectors waits for those of a model that is fetched", () => {
    expect(readEmbedder({ CHEST_EMBED_MODEL: "none" })).toEqual({ identity: KNOWN_IDENTITIES[0], isOff: true });
  });

  it("needs no more than its id, or its short name", () => {
    expect(modelOf({ CHEST_EMBED_MODEL: "local" })).toMatchObject({
      id: "Xenova/multilingual-e5-small",
      dimensions: 384,
      pooling: "mean",
      maxTokens: 512,
      queryPrefix: "query: ",
      passagePrefix: "passage: ",
    });
    expect(readReranker("Xenova/ms-marco-MiniLM-L-6-v2")).toBe(KNOWN_RERANKERS[1]);
  });

  it("has the identity that the backend takes vectors of", () => {
    expect(KNOWN_EMBEDDERS.map(identityOf)).toEqual(KNOWN_IDENTITIES);
  });

  it.each([...KNOWN_EMBEDDERS, ...KNOWN_RERANKERS])("is pinned: $id", ({ revision, files }) => {
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    expect(files.map(({ path }) => path)).toEqual([
      "config.json",
      "tokenizer.json",
      "tokenizer_config.json",
      "onnx/model_quantized.onnx",
    ]);
    for (const { sha256 } of files) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(files.at(-1)?.bytes).toBeGreaterThan(20_000_000);
  });

  it("takes no description: its vectors would be another model's", () => {
    for (const [name, id] of [
      ["bge-m3", "Xenova/bge-m3"],
      [undefined, "builtin/sentences"],
      ["builtin/terms", "builtin/terms"],
      ["none", "none"],
    ] as const)
      expect(readEmbedder({ CHEST_EMBED_MODEL: name, CHEST_EMBED_DIMENSIONS: 512 })).toBe(
        `CHEST_EMBED_DIMENSIONS: \`${id}\` is known, and takes no description`,
      );
  });
});

describe("another model", () => {
  it("is described by its dimensions and pooling", () => {
    expect(modelOf(DESCRIBED)).toMatchObject({
      id: "acme/words",
      revision: "main",
      dimensions: 8,
      pooling: "mean",
      dtype: "q8",
      maxTokens: 512,
      queryPrefix: "",
      passagePrefix: "",
    });
    expect(readReranker("acme/cross")).toMatchObject({ id: "acme/cross", revision: "main", dtype: "q8" });
  });

  it.each<NamedEmbedder>([
    { CHEST_EMBED_REVISION: "v2" },
    { CHEST_EMBED_DIMENSIONS: 9 },
    { CHEST_EMBED_POOLING: "cls" },
    { CHEST_EMBED_QUERY_PREFIX: "q: " },
    { CHEST_EMBED_PASSAGE_PREFIX: "p: " },
    { CHEST_EMBED_DTYPE: "fp32" },
    { CHEST_EMBED_MAX_TOKENS: 256 },
  ])("is another identity with %o", (otherwise) => {
    const [one, other] = [modelOf(DESCRIBED), modelOf({ ...DESCRIBED, ...otherwise })];
    expect(identityOf(other)).not.toEqual(identityOf(one));
    expect(modelOf({ ...DESCRIBED, ...otherwise })).toEqual(other);
  });

  it.each(["acme/words", "../../etc", "/etc/passwd", "a/b/c", "acme", "..", "a/.."])(
    "is refused with `%s` alone",
    (id) => {
      expect(readEmbedder({ CHEST_EMBED_MODEL: id })).toMatch(
        /^CHEST_EMBED_MODEL: .* needs CHEST_EMBED_DIMENSIONS and/,
      );
    },
  );

  it.each(["../../etc", "/etc/passwd", "a/b/c", "acme", ".."])("is refused by the name `%s`", (id) => {
    expect(readEmbedder({ ...DESCRIBED, CHEST_EMBED_MODEL: id })).toMatch(/^CHEST_EMBED_MODEL/);
    expect(readReranker(id)).toMatch(/^CHEST_RERANK_MODEL/);
  });
});
