import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const read = (uri: string) => backend.get(`/api/resources?uri=${encodeURIComponent(uri)}`);

/** Reads every page of a list and collects its ids. */
async function walk(first: string) {
  const ids: number[] = [];
  const totals = new Set<number>();
  for (let uri: string | undefined = first; uri; ) {
    const { body } = await read(uri);
    expect(body.memories).toHaveLength(body.count);
    ids.push(...body.memories.map(({ id }: { id: number }) => id));
    totals.add(body.total);
    uri = body.next;
  }
  return { ids, totals: [...totals] };
}

describe("GET /api/resources", () => {
  it("lists the projects that the caller may open, and no other", async () => {
    const by = { member: "bob", project: "host/org/apple" };
    await backend.store("an apple", { visibility: "project" }, by);
    await backend.store("fenced", { visibility: "project" }, { member: "bob", project: "host/org/fenced" });
    await backend.admin.setProject({ key: "host/org/fenced", access: "members", add: ["bob"] });
    const keys = async (asking: typeof by) => {
      const { body } = await backend.get("/api/resources?uri=chest://projects", asking);
      return body.projects.map(({ key }: { key: string }) => key);
    };
    expect(await keys(by)).toEqual(["host/org/apple", "host/org/fenced"]);
    expect(await keys({ ...by, member: "carol" })).toEqual(["host/org/apple"]);
  });

  it("shows a skill by its name to those who may open it, a project's skill before a personal one", async () => {
    const by = { member: "bob", project: "host/org/skilled" };
    const skill = { category: "skill", title: "Debug", tags: ["skill:debug"], evidence: ["~/skills/debug/SKILL.md"] };
    const own = await backend.store("debug: bob's way", { ...skill, visibility: "private" }, { member: "bob" });
    const uri = "/api/resources?uri=chest://skill/Debug";
    expect((await backend.get(uri, by)).body).toMatchObject({
      id: own,
      name: "Debug",
      path: "~/skills/debug/SKILL.md",
    });
    expect((await backend.get(uri, { ...by, member: "carol" })).status).toBe(404);
    const shared = await backend.store("debug: our way", { ...skill, visibility: "project" }, by);
    expect((await backend.get(uri, by)).body.id).toBe(shared);
    expect((await backend.get(uri, { ...by, member: "carol" })).body.id).toBe(shared);
    expect((await backend.get(uri, { ...by, project: "host/org/other" })).body.id).toBe(own);
    for (const name of ["%25", "-", "debug/x"]) {
      expect((await backend.get(`/api/resources?uri=chest://skill/${name}`, by)).status, name).toBe(404);
    }
  });

  it("has a notice first, and every field of an item", async () => {
    const id = await backend.store("a fact", { importance: 0.95, entity_name: "Notice" });
    const { body } = await read(`memory://memory/${id}`);
    expect(Object.keys(body)[0]).toBe("_notice");
    expect(body).toMatchObject({
      id,
      entity: "Notice",
      entity_kind: "project",
      layer: "learning",
      importance: 0.95,
      pinned: true,
      content: "a fact",
      created_at: expect.stringMatching(/Z$/),
      last_accessed_at: null,
      access_count: 0,
    });
  });

  it("pages without a gap, adds up to its total, and shows nothing archived or superseded", async () => {
    const made = [];
    for (let i = 0; i < 7; i++) made.push(await backend.store(`page ${i}`, { layer: "emotion" }));
    const [gone = 0, old = 0, ...rest] = made;
    await backend.tool("chest_forget", { memory_id: gone });
    const successor = await backend.store("newer", { layer: "emotion", supersedes: [old] });
    const { ids, totals } = await walk("memory://layer/Mood?limit=2");
    expect(ids.toSorted()).toEqual([...rest, successor].toSorted());
    expect(totals).toEqual([6]);
    for (const uri of ["memory://hot?limit=200", "memory://entity/acme?limit=200"]) {
      const all = await walk(uri);
      expect(all.ids).not.toContain(gone);
      expect(all.ids).not.toContain(old);
    }
    for (const id of [gone, old]) expect(await read(`memory://memory/${id}`)).toMatchObject({ status: 404 });
  });

  it("answers every address", async () => {
    const pitfall = await backend.store("a pitfall", { layer: "realize", entity_name: "AcmeAPI" });
    for (let i = 0; i < 3; i++) await backend.tool("chest_recall", { ids: [pitfall] });
    await expect
      .poll(async () => (await read("memory://recent")).body.memories.map(({ id }: { id: number }) => id), {
        timeout: 5000,
      })
      .toContain(pitfall);
    expect((await read("memory://hot")).body).toMatchObject({
      note: expect.any(String),
      memories: expect.any(Array),
    });
    const hottest = async () => (await read("memory://hot?limit=1")).body.memories[0].id;
    await expect.poll(hottest, { timeout: 5000 }).toBe(pitfall);
    expect((await read("memory://realizes")).body.memories[0]).toMatchObject({ id: pitfall });
    expect((await read("memory://layer/pitfalls")).body).toMatchObject({ layer: "realize" });
    expect((await read("memory://entity/acme%20api")).body).toMatchObject({ entity: "AcmeAPI", total: 1 });
    const { body } = await read("memory://stats");
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, n) => total + n, 0);
    expect(sum(body.by_layer)).toBe(body.memory_count);
    expect(sum(body.by_entity_kind)).toBe(body.entity_count);
    expect(body.pinned_count).toBe(1);
  });

  it.each([
    ["memory://nothing", 404, "NOT_FOUND"],
    ["memory://memory/999999", 404, "NOT_FOUND"],
    ["memory://memory/x", 404, "NOT_FOUND"],
    ["memory://entity/nobody", 404, "NOT_FOUND"],
    ["memory://entity/%zz", 404, "NOT_FOUND"],
    ["file:///etc/passwd", 404, "NOT_FOUND"],
    ["memory://layer/nothing", 400, "INVALID_INPUT"],
    ["memory://hot?limit=0", 400, "INVALID_INPUT"],
    ["memory://hot?cursor=x", 400, "INVALID_INPUT"],
    ["", 400, "VALIDATION_ERROR"],
  ])("refuses %s", async (uri, status, code) => {
    expect(await read(uri)).toMatchObject({ status, body: { error: { code } } });
  });
});
