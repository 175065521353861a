import { createHash } from "node:crypto";
import { endpoints } from "@chest/contracts";
import { type Embedder, type EmbeddingIdentity, noEmbedder } from "@chest/core/ports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEVER_BUSY } from "../testing/app.ts";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const MODEL = "Xenova/bge-m3";
const sha1 = (text: string) => createHash("sha1").update(text, "utf8").digest("hex");

/** Makes a short vector that points mainly along one axis. */
const towards = (at: number, dimensions = 1024): number[] =>
  Array.from({ length: dimensions }, (_, i) => (i === at ? 3 : 0.001));
const base64 = (numbers: readonly number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
const push = (over: object = {}) => ({ embedding: towards(1), model: MODEL, embedding_status: "ok", ...over });
const ALICE = { member: "alice" };

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const pushOne = (id: number | string, payload: object) => backend.post(`/memories/${id}/embedding`, payload);

describe("GET /memories/pending", () => {
  it("pages by id, returns the text to hash, and counts all that remain", async () => {
    const own = await openSqliteApp();
    const ids = [await own.store("erste Zeile"), await own.store("二行目"), await own.store("third")];
    const gone = await own.store("archived");
    await own.tool("chest_forget", { memory_id: gone });
    const hidden = await own.store("not yours", { visibility: "private" }, ALICE);
    const first = (await own.get("/memories/pending?limit=2")).body;
    const second = (await own.get(`/memories/pending?limit=2&cursor=${first.next_cursor}`)).body;
    const end = (await own.get(`/memories/pending?cursor=${second.next_cursor}`)).body;
    await own.close();

    expect(endpoints.pending.response.safeParse(first).success).toBe(true);
    expect(first).toMatchObject({ next_cursor: ids[1], remaining: 3, items: [{ id: ids[0] }, { id: ids[1] }] });
    expect(first.items[1]).toEqual({
      id: ids[1],
      content: "二行目",
      text_for_embedding: "二行目",
      content_sha1: sha1("二行目"),
    });
    expect(second).toMatchObject({ items: [{ id: ids[2] }], next_cursor: ids[2] });
    expect(end).toEqual({ items: [], next_cursor: 0, remaining: 3 });
    expect(ids).not.toContain(hidden);
  });

  it.each(["limit=0", "limit=201", "limit=x", "cursor=-1", "cursor=1.5", "colour=blue"])(
    "refuses ?%s",
    async (query) => {
      expect(await backend.get(`/memories/pending?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR" } },
      });
    },
  );
});

describe("a number in an address", () => {
  it.each([
    ["limit=201", "limit: is more than 200"],
    ["cursor=99999999999999999999", "cursor: is more than 9007199254740991"],
    ["limit=x", "limit: is not a whole number: decimal digits only"],
    ["limit=0x5", "limit: is not a whole number: decimal digits only"],
    ["limit=1e1", "limit: is not a whole number: decimal digits only"],
    ["limit=%205", "limit: is not a whole number: decimal digits only"],
    ["limit=5.0", "limit: is not a whole number: decimal digits only"],
    ["limit=", "limit: is not a whole number: decimal digits only"],
    ["limit=1&limit=2", "limit: is not a whole number: decimal digits only"],
  ])("is refused for what it is: ?%s", async (query, message) => {
    expect((await backend.get(`/memories/pending?${query}`)).body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      message,
      details: { issues: [{ path: message.split(":")[0] }] },
    });
  });

  it("accepts one spelling of a row's number only", async () => {
    const id = await backend.store("spelled in one way");
    for (const spelling of [`0x${id.toString(16)}`, `${id}.0`, `%20${id}`, `0${id}`, `${id}e0`, `+${id}`, "-1", "0"]) {
      const { status, body } = await pushOne(spelling, push());
      expect([spelling, status, body.error.message]).toEqual([
        spelling,
        400,
        expect.stringMatching(/^id: is not an id/),
      ]);
    }
    expect((await pushOne(id, push({ embedding: towards(900) }))).status).toBe(200);
  });
});

describe("POST /memories/pending/claim", () => {
  it("gives each row to one claimant, until it is released or its lease ends", async () => {
    const own = await openSqliteApp();
    const ids = [await own.store("uno"), await own.store("dos"), await own.store("tres")];
    const claim = async (claimant: string, over: object = {}) =>
      (await own.post("/memories/pending/claim", { claimant, lease_seconds: 30, ...over })).body;
    const idsOf = (body: { items: { id: number }[] }) => body.items.map(({ id }) => id);

    expect(await claim("desk-one-1")).toEqual({ items: [], remaining: 3 });
    own.advance(60_000);
    const first = await claim("desk-one-1", { limit: 2 });
    expect(endpoints.claimPending.response.safeParse(first).success).toBe(true);
    expect(first.items[0]).toEqual({ id: ids[0], text_for_embedding: "uno", content_sha1: sha1("uno") });
    expect(idsOf(await claim("desk-two-2"))).toEqual(ids.slice(2));
    await own.post("/memories/pending/release", { claimant: "desk-one-1", ids: [ids[0]] });
    expect(idsOf(await claim("desk-two-2"))).toEqual(ids.slice(0, 1));
    own.advance(31_000);
    expect(idsOf(await claim("desk-two-2", { model: "local" }))).toEqual(ids);
    await own.close();
  });

  it.each([
    ["no claimant", {}, "VALIDATION_ERROR"],
    ["too many at once", { claimant: "desk-one-1", limit: 201 }, "VALIDATION_ERROR"],
    ["an endless lease", { claimant: "desk-one-1", lease_seconds: 601 }, "VALIDATION_ERROR"],
    ["a model that nobody knows", { claimant: "desk-one-1", model: "acme/none" }, "INVALID_INPUT"],
  ])("refuses %s", async (_, body, code) => {
    expect(await backend.post("/memories/pending/claim", body)).toMatchObject({
      status: 400,
      body: { error: { code } },
    });
  });
});

describe("a token that may only write", () => {
  const BLIND = { member: "blind", scopes: ["write"] } as const;

  it("claims nothing, since a claim returns the text", async () => {
    const answer = await backend.post("/memories/pending/claim", { claimant: "desk-one-1" }, BLIND);
    expect(answer).toMatchObject({ status: 403, body: { error: { details: { scope: "read" } } } });
  });

  it("stores vectors, and is not shown the present text when one is refused", async () => {
    const id = await backend.store("kaka at dawn");
    const late = { content_sha1: sha1("another") };
    const one = await backend.post(`/memories/${id}/embedding`, push(late), BLIND);
    const items = [{ id, embedding_base64: base64(towards(1)), ...late }];
    const many = await backend.post("/memories/embeddings", { model: MODEL, items }, BLIND);
    expect([one.body.error, many.body.results[0].error]).toMatchObject([
      { code: "CONTENT_CHANGED", details: { id } },
      { code: "CONTENT_CHANGED", details: { id } },
    ]);
    expect(JSON.stringify([one.body, many.body])).not.toMatch(/kaka|content_sha1":/);
    const current = push({ embedding: towards(900), content_sha1: sha1("kaka at dawn") });
    expect(await backend.post(`/memories/${id}/embedding`, current, BLIND)).toMatchObject({ status: 200 });
  });
});

describe("POST /memories/:id/embedding", () => {
  it("makes a row findable by meaning at once, and no longer pending", async () => {
    const id = await backend.store("the kakapo is a parrot");
    const answer = await pushOne(id, push({ content_sha1: sha1("the kakapo is a parrot") }));
    expect(answer).toMatchObject({
      status: 200,
      body: { id, embedding_status: "ok", embedding_model: MODEL, updated_at: expect.stringMatching(/Z$/) },
    });
    const query_embedding = { vector: base64(towards(1)), model: MODEL, dimensions: 1024 };
    const found = await backend.tool("chest_recall", { query: "a bird that cannot fly", query_embedding });
    expect(found).toMatchObject({
      search: "fts5+vector",
      memories: [{ id, match_reasons: expect.arrayContaining(["content_match_vector", "vector_only"]) }],
    });
    const { items } = (await backend.get("/memories/pending?limit=200")).body;
    expect(items.map((item: { id: number }) => item.id)).not.toContain(id);
  });

  it("accepts base64, a hash or none, a short name of the model, and a repeat", async () => {
    const id = await backend.store("weka");
    const forms = [
      { content_sha1: "" },
      { model: "bge-m3" },
      { content_sha1: sha1("weka").toUpperCase() },
      { pooling: "cls" },
    ];
    for (const form of [...forms, {}]) expect(await pushOne(id, push(form))).toMatchObject({ status: 200 });
    const { embedding: _, ...rest } = push();
    expect(await pushOne(id, { ...rest, embedding_base64: base64(towards(2)) })).toMatchObject({ status: 200 });
  });

  it("refuses a vector of words that have changed, returns the new ones, and stores nothing", async () => {
    const id = await backend.store("takahe walk");
    await backend.tool("chest_update_memory", { memory_id: id, content: "takahe run" });
    const late = await pushOne(id, push({ content_sha1: sha1("takahe walk") }));
    expect(late).toMatchObject({
      status: 409,
      body: {
        error: {
          code: "CONTENT_CHANGED",
          details: { id, content_sha1: sha1("takahe run"), text_for_embedding: "takahe run" },
        },
      },
    });
    const { items } = (await backend.get("/memories/pending?limit=200")).body;
    expect(items.map((item: { id: number }) => item.id)).toContain(id);
  });

  it("keeps a row pending that only has a vector of another accepted model, and compares no query with it", async () => {
    const id = await backend.store("kea");
    const small = push({ embedding: towards(1, 384), model: "Xenova/multilingual-e5-small" });
    expect(await pushOne(id, small)).toMatchObject({ status: 200 });
    const { items } = (await backend.get("/memories/pending?limit=200")).body;
    expect(items.map((item: { id: number }) => item.id)).toContain(id);
    const query_embedding = { vector: base64(towards(1, 384)), model: "Xenova/multilingual-e5-small" };
    expect(await backend.tool("chest_recall", { query: "kea", query_embedding })).toMatchObject({
      search: "fts5",
      degraded: [{ leg: "vector", reason: "other_identity" }],
    });
  });

  it("does not keep a row pending for ever that a 1.5 client embeds with its own model, where the backend has one built in", async () => {
    const embedders = (identity: EmbeddingIdentity): Embedder => ({
      ...noEmbedder,
      identity,
      embedPassages: async (texts) =>
        texts.map(() => ({ vector: Float32Array.from(towards(1, identity.dimensions)), isCut: false })),
    });
    const own = await openSqliteApp({ CHEST_EMBED_MODEL: "builtin" }, { ...NEVER_BUSY, embedders });
    const [pushed, other] = [await own.store("a kea opens bins"), await own.store("a weka takes keys")];
    const pending = async () => (await own.get("/memories/pending")).body;
    expect((await pending()).items).toHaveLength(2);

    // Sent like a client of release 1.5: a short model name and the numbers, without hash and headers.
    const wire = { embedding: towards(1), model: "bge-m3", embedding_status: "ok" };
    expect(await own.post(`/memories/${pushed}/embedding`, wire)).toMatchObject({
      status: 200,
      body: { embedding_status: "ok" },
    });

    expect(await pending()).toMatchObject({ items: [{ id: other }], remaining: 1 });
    await own.close();
  });

  it.each([
    ["an unknown model", { model: "acme/none" }, "INVALID_INPUT", "accepted"],
    ["another revision", { revision: "2" }, "INVALID_INPUT", "accepted"],
    ["a model name of 10 kB", { model: "x".repeat(10_000) }, "VALIDATION_ERROR", "issues"],
    ["another length", { embedding: towards(1, 384) }, "VALIDATION_ERROR", "issues"],
    ["all zeros", { embedding: Array(1024).fill(0) }, "VALIDATION_ERROR", "issues"],
    ["a null", { embedding: [null, ...towards(1, 1023)] }, "VALIDATION_ERROR", "issues"],
    ["a number as text", { embedding: ["1", ...towards(1, 1023)] }, "VALIDATION_ERROR", "issues"],
    [
      "NaN",
      { embedding: undefined, embedding_base64: base64([Number.NaN, ...towards(1, 1023)]) },
      "VALIDATION_ERROR",
      "issues",
    ],
    ["infinity", { embedding: [1e300, ...towards(1, 1023)] }, "VALIDATION_ERROR", "issues"],
    ["no base64", { embedding: undefined, embedding_base64: "%%%" }, "VALIDATION_ERROR", "issues"],
    ["both forms", { embedding_base64: base64(towards(1)) }, "VALIDATION_ERROR", "issues"],
    ["neither form", { embedding: undefined }, "VALIDATION_ERROR", "issues"],
    ["another status", { embedding_status: "pending" }, "VALIDATION_ERROR", "issues"],
    ["nulls only", { embedding: Array(1024).fill(null) }, "VALIDATION_ERROR", "issues"],
  ])("refuses %s and names it", async (_, over, code, detail) => {
    const id = await backend.store(`tui ${_}`);
    const { status, body } = await pushOne(id, push(over));
    expect({ status, code: body.error.code }).toEqual({ status: 400, code });
    expect(body.error.details[detail].length).toBeGreaterThan(0);
    expect(body.error.details[detail].length).toBeLessThanOrEqual(20);
  });

  it("refuses an invalid id, and finds no row that is absent, hidden or archived", async () => {
    const gone = await backend.store("archived");
    await backend.tool("chest_forget", { memory_id: gone });
    const hidden = await backend.store("hidden", { visibility: "private" }, ALICE);
    for (const id of ["x", "0", "-1", "1.5"]) expect((await pushOne(id, push())).status).toBe(400);
    for (const id of [999_999, gone, hidden]) {
      expect(await pushOne(id, push())).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND", details: { id } } },
      });
    }
  });

  it("accepts 256 KiB and not a byte more", async () => {
    const limit = { error: { code: "PAYLOAD_TOO_LARGE", details: { limit_bytes: 262_144 } } };
    expect(await pushOne(1, { x: "x".repeat(262_144) })).toMatchObject({ status: 413, body: limit });
    expect(await pushOne(1, { x: "x".repeat(250_000) })).toMatchObject({ status: 400 });
  });
});

describe("POST /memories/embeddings", () => {
  const batch = (items: readonly object[], over: object = {}) =>
    backend.post("/memories/embeddings", { model: MODEL, items, ...over });

  it("stores what it can, and answers for each item in the order sent", async () => {
    const [one, two, three] = [await backend.store("moa"), await backend.store("huia"), await backend.store("piopio")];
    const answer = await batch([
      { id: three, embedding_base64: base64(towards(3)), content_sha1: sha1("piopio") },
      { id: 999_999, embedding: towards(1), content_sha1: sha1("x") },
      { id: one, embedding: towards(4), content_sha1: sha1("not moa") },
      { id: two, embedding: [0, 1], content_sha1: sha1("huia") },
      { id: two, embedding: towards(5), content_sha1: sha1("huia") },
    ]);
    expect(endpoints.pushEmbeddings.response.safeParse(answer.body).success).toBe(true);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        stored: 2,
        failed: 3,
        results: [
          { id: three, ok: true },
          { id: 999_999, ok: false, error: { code: "NOT_FOUND" } },
          { id: one, ok: false, error: { code: "CONTENT_CHANGED", details: { text_for_embedding: "moa" } } },
          { id: two, ok: false, error: { code: "VALIDATION_ERROR" } },
          { id: two, ok: true },
        ],
      },
    });
  });

  it("refuses the whole of a batch that is malformed or of no accepted model", async () => {
    const item = { id: 1, embedding: towards(1), content_sha1: sha1("x") };
    expect(await batch([item], { model: "acme/none" })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT" } },
    });
    for (const items of [[], Array(129).fill(item), [{ ...item, id: 0 }], [{ id: 1, embedding: towards(1) }]]) {
      expect(await batch(items)).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
    }
  });

  it("accepts 128 vectors in base64 at once, and at most 8 MiB", async () => {
    const items = Array.from({ length: 128 }, () => ({
      id: 999_999,
      embedding_base64: base64(towards(1)),
      content_sha1: "",
    }));
    expect((await batch(items)).body).toMatchObject({ stored: 0, failed: 128 });
    expect(await backend.post("/memories/embeddings", { x: "x".repeat(8_388_608) })).toMatchObject({
      status: 413,
      body: { error: { details: { limit_bytes: 8_388_608 } } },
    });
  });
});

describe("a write over REST", () => {
  const fact = {
    entity_name: "acme",
    entity_kind: "project",
    layer: "learning",
    content: "password: hunter2secret9 is gone",
  };

  it("returns the exact words to embed, also when it repeats a first answer", async () => {
    const headers = { "idempotency-key": "the-same-key" };
    const first = await backend.tool("chest_remember", fact, { headers });
    const { text_for_embedding: text, content_sha1: hash, status } = first.embedding;
    expect({ status, hash }).toEqual({ status: "pending", hash: sha1(text) });
    expect(text).not.toContain("hunter2");
    expect(await pushOne(first.memory_id, push({ content_sha1: hash }))).toMatchObject({ status: 200 });
    await backend.tool("chest_update_memory", { memory_id: first.memory_id, content: "other words" });
    const again = await backend.post("/api/tools/chest_remember", fact, { headers });
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.body.result.embedding).toEqual({
      status: "pending",
      text_for_embedding: "other words",
      content_sha1: sha1("other words"),
    });
  });

  it("returns them for an update of the words, and not for one of the importance", async () => {
    const id = await backend.store("ruru at night");
    const words = await backend.tool("chest_update_memory", { memory_id: id, content: "ruru by day" });
    expect(words.embedding).toMatchObject({ text_for_embedding: "ruru by day", content_sha1: sha1("ruru by day") });
    expect(await backend.tool("chest_update_memory", { memory_id: id, importance: 0.7 })).not.toHaveProperty(
      "embedding",
    );
  });
});

it("refuses a query vector that is of no accepted model, or no vector", async () => {
  const asked = (query_embedding: object) => backend.tool("chest_recall", { query: "x", query_embedding });
  expect(await asked({ vector: base64([1, 2]), model: "acme/none" })).toMatchObject({ code: "INVALID_INPUT" });
  expect(await asked({ vector: base64([1, 2]), model: MODEL })).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await asked({ vector: base64(towards(1)), model: MODEL, dimensions: 384 })).toMatchObject({
    code: "INVALID_INPUT",
  });
});
