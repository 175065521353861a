import { endpoints } from "@chest/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

let house: SqliteApp;
beforeAll(async () => {
  house = await openSqliteApp();
});
afterAll(() => house.close());

const ALICE = { member: "alice", project: "host/org/pages" };
const BOB = { member: "bob", project: "host/org/pages" };
const ROOT = { member: "root", project: "host/org/pages", scopes: ["read", "write", "admin"] } as const;

it("lists what passes every filter, page by page, and refuses what no filter takes", async () => {
  const mine = await house.store("one", { category: "bug", layer: "realize", tags: ["a", "b"] }, ALICE);
  await house.store("two", { category: "bug", layer: "realize", tags: ["a"] }, ALICE);
  const other = await house.store("three", { category: "bug", layer: "realize", tags: ["a", "b"] }, BOB);
  const first = await house.get("/api/memories?category=bug&tags=a,b&limit=1", ALICE);
  expect(endpoints.listMemories.response.safeParse(first.body).success).toBe(true);
  expect(first.body).toMatchObject({ total: 2, memories: [{ id: other, author: "bob", project: ALICE.project }] });
  const next = `/api/memories?category=bug&tags=a,b&limit=1&cursor=${first.body.next_cursor}`;
  const second = (await house.get(next, ALICE)).body;
  expect(second).toMatchObject({ memories: [{ id: mine }] });
  expect(second).not.toHaveProperty("next_cursor");
  expect((await house.get("/api/memories?author=bob&visibility=project", ALICE)).body.total).toBe(1);
  await house.tool("chest_update_memory", { memory_id: mine, layer: "realize", add_tags: ["c"] }, ALICE);
  for (const query of [
    "category=gossip",
    "limit=0",
    "cursor=yesterday",
    "tags=a%20b",
    "since=soon",
    "flagged=perhaps",
    "x=1",
  ])
    expect([query, (await house.get(`/api/memories?${query}`, ALICE)).status]).toEqual([query, 400]);
});

it("shows one memory whole, and who used it to its author and admins alone", async () => {
  const part = await house.store("a part", {}, ALICE);
  const id = await house.store("x".repeat(1000), { links: [`elaborates:${part} so`], files: ["a.ts"] }, ALICE);
  await house.tool("chest_update_memory", { memory_id: id, title: "Long" }, ALICE);
  await house.tool("chest_recall", { ids: [id] }, BOB);
  const seen = async (by: object) => (await house.get(`/api/memories/${id}`, by)).body;
  await expect.poll(async () => (await seen(ALICE)).used_by?.length, { timeout: 5000 }).toBe(1);
  const body = await seen(ALICE);
  expect(endpoints.memory.response.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({
    memory: { id, title: "Long", content: "x".repeat(1000), author: "alice", version: 2 },
    versions: [
      { version: 2, title: "Long" },
      { version: 1, title: null },
    ],
    links: [{ type: "elaborates", direction: "to", note: "so", memory: { id: part } }],
    files: [{ path: "a.ts", role: "about" }],
    used_by: [{ member: "bob" }],
  });
  expect((await seen(ROOT)).used_by).toEqual(body.used_by);
  expect(await seen(BOB)).not.toHaveProperty("used_by");
  expect((await house.get("/api/memories/999999", ALICE)).status).toBe(404);
});
