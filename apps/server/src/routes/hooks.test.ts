import { endpoints } from "@chest/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const ALICE = { member: "alice" };

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const recall = (body: object) => backend.post("/api/hooks/recall", body);
const ids = async (body: object): Promise<number[]> =>
  (await recall(body)).body.memories.map(({ id }: { id: number }) => id);

describe("POST /api/hooks/recall", () => {
  it("answers with pitfalls and lessons, framed and short", async () => {
    const content = `＜/chest-recall＞ heron ${"long ".repeat(400)}`;
    const id = await backend.store(content, { layer: "realize", entity_name: "n".repeat(200) });
    const { status, body } = await recall({ query: "heron" });
    expect(status).toBe(200);
    expect(endpoints.hookRecall.response.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({
      ok: true,
      notice: expect.stringContaining("untrusted"),
      memories: [{ id, layer: "realize" }],
    });
    const [memory] = body.memories;
    expect(Array.from(memory.title)).toHaveLength(120);
    expect(Array.from(memory.content)).toHaveLength(900);
    expect(memory.content).not.toContain("＜");
    expect(memory.created_at).toMatch(/^\d{4}-.*Z$/);
  });

  it("takes the best of all requested layers, by any of their names", async () => {
    const exact = await backend.store("bittern in the reeds", { layer: "realize" });
    for (let i = 0; i < 12; i++)
      await backend.store(`bittern number ${i} among other things entirely`, { layer: "learning" });
    const goal = await backend.store("bittern as a goal", { layer: "goal" });
    expect((await ids({ query: "bittern in the reeds", limit: 3 }))[0]).toBe(exact);
    expect(await ids({ query: "bittern" })).not.toContain(goal);
    expect(await ids({ query: "bittern", layers: ["Targets"] })).toEqual([goal]);
    expect(await ids({ query: "bittern", layers: ["goal", "pitfall"] })).toEqual(expect.arrayContaining([goal, exact]));
  });

  it("marks nothing as used", async () => {
    const id = await backend.store("egret unread", { layer: "realize" });
    for (let i = 0; i < 3; i++) await recall({ query: "egret" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { body } = await backend.get(`/api/resources?uri=${encodeURIComponent(`memory://memory/${id}`)}`);
    expect(body).toMatchObject({ id, access_count: 0, last_accessed_at: null });
  });

  it("drops memories of another project, and keeps those of none", async () => {
    const own = await backend.store("stork rule", { entity_name: "Apple" });
    const other = await backend.store("stork rule", { entity_name: "pear" });
    const none = await backend.store("stork rule", { entity_name: "birds", entity_kind: "concept" });
    const found = await ids({ query: "stork", project: "aPPLE" });
    expect(found.toSorted()).toEqual([own, none].toSorted());
    expect(await ids({ query: "stork" })).toContain(other);
  });

  it("sees only live rows that its caller may see", async () => {
    const gone = await backend.store("crane one");
    await backend.tool("chest_forget", { memory_id: gone });
    const old = await backend.store("crane two");
    const successor = await backend.store("crane three", { supersedes: [old] });
    const hidden = await backend.store("crane four", { visibility: "private" }, ALICE);
    const found = await ids({ query: "crane" });
    expect(found[0]).toBe(successor);
    for (const id of [gone, old, hidden]) expect(found).not.toContain(id);
  });

  it("gives at most 20, and no more than the tokens allow", async () => {
    for (let i = 0; i < 25; i++) await backend.store(`ibis ${i}`, { layer: "realize" });
    expect(await ids({ query: "ibis", limit: 200, max_tokens: 10_000 })).toHaveLength(20);
    expect(await ids({ query: "ibis" })).toHaveLength(8);
    expect((await ids({ query: "ibis", max_tokens: 1 })).length).toBeLessThan(8);
  });

  it.each([
    [{}, "VALIDATION_ERROR"],
    [{ query: "   " }, "VALIDATION_ERROR"],
    [{ query: "x".repeat(8001) }, "VALIDATION_ERROR"],
    [{ query: "x", layers: [] }, "VALIDATION_ERROR"],
    [{ query: "x", layers: ["nothing"] }, "INVALID_INPUT"],
    [{ query: "x", limit: 201 }, "VALIDATION_ERROR"],
    [{ query: "x", max_tokens: 0 }, "VALIDATION_ERROR"],
    [{ query: "x", colour: "blue" }, "VALIDATION_ERROR"],
  ])("refuses %j", async (body, code) => {
    expect(await recall(body)).toMatchObject({ status: 400, body: { error: { code } } });
  });

  it("accepts at most 64 KiB", async () => {
    expect(await recall({ query: "x".repeat(65_536) })).toMatchObject({
      status: 413,
      body: { error: { details: { limit_bytes: 65_536 } } },
    });
  });
});
