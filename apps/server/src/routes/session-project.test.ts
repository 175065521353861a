import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

const ALICE: TestRequester = { member: "alice" };

let backend: SqliteApp;
beforeEach(async () => {
  backend = await openSqliteApp();
});
afterEach(() => backend.close());

/** Connects to `/mcp` with the headers that an agent's configuration sends. */
async function recallOnMcp(query: string, by: TestRequester) {
  const headers = { accept: "application/json, text/event-stream", ...by.headers };
  const params = { name: "chest_recall", arguments: { query } };
  const { body } = await backend.post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    { ...by, headers },
  );
  return body.result.structuredContent;
}

describe("a project that a write names", () => {
  const APPLE = "host/org/apple";
  const inSession = (session: string, over: TestRequester = {}): TestRequester => ({
    ...ALICE,
    ...over,
    headers: { "x-chest-session": session, ...over.headers },
  });
  it("is where its session works from then on, for writes and reads", async () => {
    const by = inSession("s-1");
    await backend.store("in pear", {}, { ...ALICE, project: "host/org/pear" });
    expect((await backend.tool("chest_recall", { query: "pear" }, by)).count).toBe(1);
    await backend.store("in apple", { project: APPLE }, by);
    const id = await backend.store("in apple as well", {}, by);
    expect((await backend.tool("chest_recall", { query: "apple", project: APPLE }, ALICE)).count).toBe(2);
    expect((await backend.tool("chest_recall", { query: "pear", limit: 9 }, by)).count).toBe(0);
    expect((await backend.tool("chest_recall", { query: "pear", project: "*" }, by)).count).toBe(1);
    const realm = async (uri: string, by: TestRequester) =>
      (await backend.get(`/api/resources?uri=${encodeURIComponent(uri)}`, by)).body.memories.length;
    expect(await realm("memory://layer/learning", by)).toBe(2);
    expect(await realm("memory://layer/learning", ALICE)).toBe(3);
    const found = (await recallOnMcp("pear apple", by)).memories;
    expect(found.map((memory: { id: number }) => memory.id)).toContain(id);
    expect(found).toHaveLength(2);
  });

  it("is remembered although the write was a duplicate, until another is named", async () => {
    const by = inSession("s-1");
    await backend.store("the same words", {}, { ...ALICE, project: APPLE });
    await backend.store("the same words", { project: APPLE }, by);
    await backend.store("first", {}, by);
    await backend.store("second", { project: "host/org/pear" }, by);
    await backend.store("third", {}, by);
    const count = async (project: string) =>
      (await backend.tool("chest_list_entities", { project }, ALICE)).entities[0]?.memory_count;
    expect([await count(APPLE), await count("host/org/pear")]).toEqual([2, 2]);
  });

  it("gives way to the project that a call states", async () => {
    await backend.store("in apple", { project: APPLE }, inSession("s-1"));
    await backend.store("in pear", {}, inSession("s-1", { project: "host/org/pear" }));
    expect((await backend.tool("chest_recall", { query: "pear", project: "host/org/pear" }, ALICE)).count).toBe(1);
  });

  it("is not remembered when no session id was sent", async () => {
    await backend.store("in apple", { project: APPLE }, ALICE);
    await backend.store("for the team", {}, ALICE);
    const { count } = await backend.tool("chest_recall", { query: "team", project: APPLE }, ALICE);
    expect(count).toBe(0);
    expect((await backend.tool("chest_recall", { query: "team" }, { member: "bob" })).count).toBe(1);
  });

  it("belongs to one member, even if others send that id", async () => {
    await backend.store("in apple", { project: APPLE }, inSession("s-1"));
    await backend.store("from bob", {}, inSession("s-1", { member: "bob" }));
    expect((await backend.tool("chest_recall", { query: "from bob", project: APPLE }, ALICE)).count).toBe(0);
  });

  it("leaves a repeat under its key the same request", async () => {
    const by = inSession("s-1", { headers: { "idempotency-key": "k-1" } });
    const first = await backend.store("in apple", { project: APPLE }, by);
    expect(await backend.store("in apple", { project: APPLE }, by)).toBe(first);
    const plain = inSession("s-2", { headers: { "idempotency-key": "k-2" } });
    const told = await backend.store("for everybody", {}, plain);
    await backend.store("in apple too", { project: APPLE }, inSession("s-2"));
    expect(await backend.store("for everybody", {}, plain)).toBe(told);
    const other = inSession("s-3", { project: APPLE, headers: { "idempotency-key": "k-2" } });
    expect(
      await backend.tool(
        "chest_remember",
        { entity_name: "acme", entity_kind: "project", layer: "learning", content: "for everybody" },
        other,
      ),
    ).toMatchObject({
      code: "IDEMPOTENCY_MISMATCH",
    });
  });

  it("refuses later writes once it is closed, instead of sharing them with the team", async () => {
    const by = inSession("s-1");
    await backend.store("in apple", { project: APPLE }, by);
    await backend.tokenOf({ member: "bob" });
    await backend.admin.setProject({ key: APPLE, access: "members", add: ["bob"] });
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "a secret of apple" };
    expect(await backend.tool("chest_remember", fact, by)).toMatchObject({ code: "NOT_FOUND" });
    expect((await backend.tool("chest_recall", { query: "secret" }, { member: "bob" })).count).toBe(0);
  });

  it("is not remembered from a refused write", async () => {
    const by = inSession("s-1");
    await backend.admin.setProject({ key: APPLE, access: "members" });
    const fact = {
      entity_name: "acme",
      entity_kind: "project",
      layer: "learning",
      content: "anything",
      project: APPLE,
    };
    expect(await backend.tool("chest_remember", fact, by)).toMatchObject({ code: "NOT_FOUND" });
    await backend.store("for everybody", {}, by);
    expect((await backend.tool("chest_recall", { query: "everybody" }, { member: "bob" })).count).toBe(1);
  });
});
