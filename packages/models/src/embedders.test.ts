import { BUILTIN_IDENTITY, KNOWN_IDENTITIES, TABLE_IDENTITY } from "@chest/core/embedding";
import { noEmbedder } from "@chest/core/ports";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Embedders, openEmbedders } from "./embedders.ts";
import { readEmbedder } from "./read-spec.ts";
import { identityOf } from "./spec.ts";
import { FIXTURE_EMBEDDER, fixtureModels, OTHER_FIXTURE_EMBEDDER } from "./testing/index.ts";

describe("the models of a machine", () => {
  let embedders: Embedders;
  beforeEach(async () => {
    embedders = openEmbedders(
      { identity: identityOf(FIXTURE_EMBEDDER), model: FIXTURE_EMBEDDER },
      { modelsDir: await fixtureModels() },
    );
  }, 60_000);
  afterEach(() => embedders.close());

  it("are the one that is configured, and those that describe themselves: a store may still go by one of them", async () => {
    const never = new AbortController().signal;
    const configured = embedders.of(identityOf(FIXTURE_EMBEDDER));
    const other = embedders.of(identityOf(OTHER_FIXTURE_EMBEDDER));
    expect(await configured.embedQuery("blue server", never)).toHaveLength(128);
    expect(await other.embedQuery("blue server", never)).toHaveLength(64);
    expect(embedders.of(identityOf(FIXTURE_EMBEDDER))).toBe(configured);
  });

  it("are the known ones as well, here or not", async () => {
    const [known] = KNOWN_IDENTITIES;
    expect(await embedders.of(known).state()).toMatchObject({ reason: "no_model" });
  });

  it("are both that come with Chest, whatever is configured", async () => {
    for (const identity of [BUILTIN_IDENTITY, TABLE_IDENTITY])
      expect(await embedders.of(identity).state()).toEqual({ isUsable: true });
  });

  it("are none where embedding is off", async () => {
    const off = readEmbedder({ CHEST_EMBED_MODEL: "none" });
    if (typeof off === "string") throw new Error(off);
    const none = openEmbedders(off, { modelsDir: await fixtureModels() });
    for (const identity of [BUILTIN_IDENTITY, TABLE_IDENTITY, ...KNOWN_IDENTITIES])
      expect(none.of(identity)).toBe(noEmbedder);
  });

  it.each([{ revision: "other" }, { dimensions: 9 }, { model: "fixture/none" }, { pooling: "cls" }])(
    "are not one of another identity: %o",
    (otherwise) => {
      expect(embedders.of({ ...identityOf(FIXTURE_EMBEDDER), ...otherwise })).toBe(noEmbedder);
    },
  );
});
