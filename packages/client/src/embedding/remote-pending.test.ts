import { afterEach, describe, expect, it } from "vitest";
import { type Backend, openBackend } from "../backend.ts";
import { knownCapabilities } from "../capabilities.ts";
import { type FakeBackend, type FakeBackendOptions, startFakeBackend } from "../testing/index.ts";
import { base64, remotePending } from "./remote-pending.ts";

const IDENTITY = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
const STATED = { model: "test/tiny", revision: "1", pooling: "mean" };
const ASK = { identity: IDENTITY, cursor: 7, limit: 50, leaseMs: 1500, claimant: "claimant-1" };
const ITEM = { id: 8, content: "x", text_for_embedding: "the words", content_sha1: "0".repeat(40) };
const PUSHES = [8, 9].map((id) => ({ id, vector: Float32Array.of(1, 0, 0, 0.5), contentSha1: "0".repeat(40) }));
const CHANGED = { code: "CONTENT_CHANGED", message: "changed", hint: "again", details: { id: 8 } };

let fake: FakeBackend;
let backend: Backend;
afterEach(async () => {
  backend.close();
  await fake.stop();
});

async function open(features: readonly string[], other: FakeBackendOptions["other"]) {
  fake = await startFakeBackend({ capabilities: { features }, other });
  backend = openBackend({
    url: fake.url,
    token: "t".repeat(32),
    client: () => ({ name: "x", version: "1", wire: "1.6.0" }),
  });
  return remotePending(backend, knownCapabilities(backend));
}
const sent = (path: string) =>
  fake.requests.filter((request) => request.path.split("?")[0] === path).map(({ body }) => JSON.parse(body || "{}"));

describe("the queue of a backend", () => {
  it("claims, pushes together and gives back where the backend knows how", async () => {
    const queue = await open(["pending-claim", "embedding-batch"], ({ path }) => {
      if (path.endsWith("/claim")) return { status: 200, body: { items: [ITEM], remaining: 3 } };
      if (path.endsWith("/release")) return { status: 200, body: { ok: true } };
      const results = [
        { id: 8, ok: true },
        { id: 9, ok: false, error: CHANGED },
      ];
      return { status: 200, body: { stored: 1, failed: 1, results } };
    });
    expect(await queue.claim(ASK)).toEqual({
      remaining: 3,
      items: [{ id: 8, text: "the words", contentSha1: ITEM.content_sha1 }],
    });
    expect(await queue.store(IDENTITY, PUSHES)).toMatchObject([
      { id: 8 },
      { id: 9, error: { code: "CONTENT_CHANGED" } },
    ]);
    await queue.release("claimant-1", [9]);
    expect(sent("/memories/pending/claim")).toEqual([
      { claimant: "claimant-1", cursor: 7, limit: 50, lease_seconds: 2, ...STATED },
    ]);
    expect(sent("/memories/embeddings")[0]).toMatchObject({ ...STATED, items: [{ id: 8 }, { id: 9 }] });
    expect(Buffer.from(sent("/memories/embeddings")[0].items[0].embedding_base64, "base64").readFloatLE(12)).toBe(0.5);
    expect(sent("/memories/pending/release")).toEqual([{ claimant: "claimant-1", ids: [9] }]);
  });

  it("lists pages and pushes one by one where it does not, and tells one row's refusal from the whole's", async () => {
    const queue = await open(["memories-pending-list"], ({ path }) => {
      if (path.startsWith("/memories/pending"))
        return { status: 200, body: { items: [ITEM], next_cursor: 8, remaining: 1 } };
      if (path === "/memories/8/embedding") return { status: 409, body: { ok: false, error: CHANGED } };
      const stored = { id: 9, embedding_status: "ok", embedding_model: "test/tiny", updated_at: "now" };
      return { status: 200, body: stored };
    });
    expect((await queue.claim(ASK)).items).toHaveLength(1);
    expect(fake.requests.at(-1)?.path).toBe("/memories/pending?cursor=7&limit=50");
    expect(await queue.store(IDENTITY, PUSHES)).toMatchObject([{ error: { code: "CONTENT_CHANGED" } }, { id: 9 }]);
    await queue.release("claimant-1", [8]);
    expect(fake.requests.filter(({ path }) => path.endsWith("/release"))).toEqual([]);
  });

  it("asks anew what the backend is after a refusal", async () => {
    const queue = await open(["pending-claim"], () => ({
      status: 400,
      body: { ok: false, error: { code: "INVALID_INPUT", message: "no such model", hint: "another" } },
    }));
    await expect(queue.claim(ASK)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(queue.claim(ASK)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(sent("/capabilities")).toHaveLength(2);
  });

  it("asks anew after a 409 of a row, and when it is back after being away", async () => {
    const queue = await open(["embedding-batch"], ({ path }) =>
      path === "/memories/embeddings"
        ? { status: 200, body: { stored: 0, failed: 1, results: [{ id: 8, ok: false, error: CHANGED }] } }
        : { status: 200, body: { items: [ITEM], next_cursor: 8, remaining: 1 } },
    );
    await queue.store(IDENTITY, PUSHES.slice(0, 1));
    await queue.store(IDENTITY, PUSHES.slice(0, 1));
    expect(sent("/capabilities")).toHaveLength(2);

    fake.meetAlways((response) => response.destroy());
    await expect(queue.claim({ ...ASK, cursor: 0 })).rejects.toMatchObject({ code: "BACKEND_UNREACHABLE" });
    const asked = sent("/capabilities").length;
    fake.meetAlways(undefined);
    await queue.claim({ ...ASK, cursor: 0 });
    expect(sent("/capabilities")).toHaveLength(asked + 1);
  });
});

it("writes numbers as Float32, little-endian", () => {
  expect(Buffer.from(base64(Float32Array.of(1, -2)), "base64").toString("hex")).toBe("0000803f000000c0");
});
