import { endpoints } from "@chest/contracts";
import { transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const CHUNKS = JSON.stringify([{ id: "f1", kind: "function", start_line: 1, end_line: 9, hash: "ab" }]);
const FILE = { path: "/src/a.ts", content_hash: "abc", mtime: 1_700_000_000_123, size_bytes: 12, chunks: CHUNKS };
const ALICE = { member: "alice" };

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const rpc = (name: string, body: object, by = {}) => backend.post(`/api/tools/_snapshot_${name}`, body, by);
const get = async (body: object, by = {}) => (await rpc("get", body, by)).body.result.snapshot;

describe("the snapshots of a session", () => {
  it("come back as they were stored, and count their reads", async () => {
    const key = { path: "/src/one.ts", machine: "desk", session: "s1" };
    expect((await rpc("get", key)).body).toEqual({ ok: true, result: { ok: true, snapshot: null, facts: [] } });
    expect(await rpc("put", { ...FILE, ...key })).toMatchObject({
      status: 200,
      body: { ok: true, result: { ok: true } },
    });
    const { body } = await rpc("get", key);
    expect(endpoints.snapshotGet.response.safeParse(body).success).toBe(true);
    expect(body.result.snapshot).toEqual({
      path: key.path,
      content_hash: "abc",
      mtime: FILE.mtime,
      size_bytes: 12,
      chunks: CHUNKS,
      mtime_ns: "1700000000123000000",
      last_read_at: expect.stringMatching(/Z$/),
      read_count: 1,
    });
    await rpc("put", { ...FILE, ...key, content_hash: "def", mtime_ns: "1700000000123456789" });
    expect(await rpc("touch", { ...key, mtime: 1_700_000_000_999 })).toMatchObject({ status: 200 });
    expect(await get(key)).toMatchObject({ content_hash: "def", read_count: 3, mtime: 1_700_000_000_999 });
  });

  it("belong to one member, machine and session, which the headers may name", async () => {
    await rpc("put", { ...FILE, session: "s1", machine: "desk" });
    expect(await get({ path: FILE.path, session: "s2", machine: "desk" })).toBeNull();
    expect(await get({ path: FILE.path, session: "s1" })).toBeNull();
    expect(await get({ path: FILE.path, session: "s1", machine: "desk" }, ALICE)).toBeNull();
    const headers = { "x-chest-session": "s1", "x-chest-client": "chest-memory/1.0.0; wire=1.6.0; machine=desk" };
    expect(await get({ path: FILE.path }, { headers })).toMatchObject({ content_hash: "abc" });
  });

  it("come with the memories about the file, lessons first, for readers of memories", async () => {
    const project = "host/org/acme";
    const store = (content: string, over: object) => backend.store(content, over, { ...ALICE, project });
    const about = { entity_name: "src/auth/login.ts", entity_kind: "file" };
    const state = await store("is being taken apart", { ...about, layer: "context", importance: 0.9 });
    const lesson = await store("src/auth/login.ts: the clock must stand still in its test", {});
    const pitfall = await store(`the token is read twice ${"and again ".repeat(40)}`, { ...about, layer: "realize" });
    await store("src/auth/logout.ts and auth/login.tsx are others", {});
    await backend.store("src/auth/login.ts of another project", {}, { ...ALICE, project: "host/org/other" });
    await backend.store("src/auth/login.ts, said in private", { visibility: "private" }, { member: "bob", project });
    const path = "/home/alice/acme/src/auth/login.ts";
    const { user, edits } = transcriptOf("a-session");
    const lines = [user("Please mend the login page, it flickers."), edits(`${path}x`)].join("\n");
    const headers = { "content-type": "application/x-ndjson" };
    expect((await backend.post("/api/hooks/sync-session", lines, { ...ALICE, project, headers })).status).toBe(200);

    const { body } = await rpc("get", { path }, { ...ALICE, project });
    expect(endpoints.snapshotGet.response.safeParse(body).success).toBe(true);
    expect(body.result.facts).toEqual([
      { id: pitfall, layer: "realize", preview: expect.stringMatching(/^the token is read twice .{1,140}…$/) },
      { id: lesson, layer: "learning", preview: "src/auth/login.ts: the clock must stand still in its test" },
      { id: state, layer: "context", preview: "is being taken apart" },
    ]);
    const blind = { ...ALICE, project, scopes: ["write"] } as const;
    expect((await rpc("get", { path }, blind)).body.result).toEqual({ ok: true, snapshot: null, facts: [] });
  });

  it("may be touched before they exist", async () => {
    expect(await rpc("touch", { path: "/none" })).toMatchObject({ status: 200 });
    expect(await get({ path: "/none" })).toBeNull();
  });

  it.each([
    ["no path", { path: "" }],
    ["a fraction of a millisecond", { mtime: 1.5 }],
    ["nanoseconds that are none", { mtime_ns: "1e9" }],
    ["chunks that are no JSON", { chunks: "[" }],
    ["chunks that are no array", { chunks: "{}" }],
    ["chunks with the text of a file", { chunks: JSON.stringify([{ id: "a", content: "x".repeat(600) }]) }],
    ["an unknown key", { colour: "blue" }],
  ])("are refused with %s", async (_, over) => {
    expect(await rpc("put", { ...FILE, ...over })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR" } },
    });
  });

  it("are at most 1 MiB", async () => {
    expect(await rpc("put", { ...FILE, chunks: "x".repeat(1_048_576) })).toMatchObject({ status: 413 });
  });
});
