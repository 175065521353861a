import { endpoints } from "@chest/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const ALICE = { member: "alice", project: "host/org/pages" };
const BOB = { member: "bob", project: "host/org/pages" };
const ROOT = { member: "root", project: "host/org/pages", scopes: ["read", "write", "admin"] } as const;

it("lists what passes every filter, page by page, and refuses an unknown filter", async () => {
  const mine = await backend.store("one", { category: "bug", layer: "realize", tags: ["a", "b"] }, ALICE);
  await backend.store("two", { category: "bug", layer: "realize", tags: ["a"] }, ALICE);
  const other = await backend.store("three", { category: "bug", layer: "realize", tags: ["a", "b"] }, BOB);
  const first = await backend.get("/api/memories?category=bug&tags=a,b&limit=1", ALICE);
  expect(endpoints.listMemories.response.safeParse(first.body).success).toBe(true);
  expect(first.body).toMatchObject({ total: 2, memories: [{ id: other, author: "bob", project: ALICE.project }] });
  const next = `/api/memories?category=bug&tags=a,b&limit=1&cursor=${first.body.next_cursor}`;
  const second = (await backend.get(next, ALICE)).body;
  expect(second).toMatchObject({ memories: [{ id: mine }] });
  expect(second).not.toHaveProperty("next_cursor");
  expect((await backend.get("/api/memories?author=bob&visibility=project", ALICE)).body.total).toBe(1);
  await backend.tool("chest_update_memory", { memory_id: mine, layer: "realize", add_tags: ["c"] }, ALICE);
  for (const query of [
    "category=gossip",
    "limit=0",
    "cursor=yesterday",
    "tags=a%20b",
    "since=soon",
    "flagged=perhaps",
    "x=1",
  ])
    expect([query, (await backend.get(`/api/memories?${query}`, ALICE)).status]).toEqual([query, 400]);
});

it("shows one memory in full, and its readers only to its author and admins", async () => {
  const part = await backend.store("a part", {}, ALICE);
  const id = await backend.store("x".repeat(1000), { links: [`elaborates:${part} so`], files: ["a.ts"] }, ALICE);
  await backend.tool("chest_update_memory", { memory_id: id, title: "Long" }, ALICE);
  await backend.tool("chest_recall", { ids: [id] }, BOB);
  const seen = async (by: object) => (await backend.get(`/api/memories/${id}`, by)).body;
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
  expect((await backend.get("/api/memories/999999", ALICE)).status).toBe(404);
});

it("lists the oldest first, page by page", async () => {
  const at = { member: "alice", project: "host/org/ages" };
  const ids = [
    await backend.store("one", {}, at),
    await backend.store("two", {}, at),
    await backend.store("three", {}, at),
  ];
  const page = async (more: string) =>
    (await backend.get(`/api/memories?sort=oldest&limit=2&project=host/org/ages${more}`, at)).body;
  const first = await page("");
  const second = await page(`&cursor=${first.next_cursor}`);
  expect([...first.memories, ...second.memories].map(({ id }: { id: number }) => id)).toEqual(ids);
  expect(second.next_cursor).toBeUndefined();
});

it("shows the links of a memory step by step, without those its reader may not open", async () => {
  const at = { member: "alice", project: "host/org/graphs" };
  const far = await backend.store("far", {}, at);
  const near = await backend.store("near", { links: [`part_of:${far}`] }, at);
  const id = await backend.store("the middle", { links: [`depends_on:${near} so`] }, at);
  const hidden = await backend.store("hidden", { visibility: "private", links: [`elaborates:${id}`] }, at);
  const graph = async (query: string, by: object) => (await backend.get(`/api/memories/${id}/graph${query}`, by)).body;
  const whole = await graph("", at);
  expect(endpoints.memoryGraph.response.safeParse(whole).success).toBe(true);
  expect(new Map(whole.memories.map((each: { id: number; steps: number }) => [each.id, each.steps]))).toEqual(
    new Map([
      [id, 0],
      [near, 1],
      [hidden, 1],
      [far, 2],
    ]),
  );
  expect(whole).toMatchObject({ is_cut: false });
  expect(whole.links).toContainEqual({ from: id, to: near, type: "depends_on", note: "so" });
  const bobs = await graph("?steps=1", { ...at, member: "bob" });
  expect(bobs.memories.map((each: { id: number }) => each.id).sort()).toEqual([near, id].sort());
  expect(await graph("?limit=2", at)).toMatchObject({ is_cut: true, memories: { length: 2 } });
  expect((await backend.get(`/api/memories/${id}/graph?steps=9`, at)).status).toBe(400);
});

it("lists sessions by their last memory, with the handoffs of the requesting member only", async () => {
  const at = (member: string, session: string) => ({
    ...{ member, project: "host/org/sessions" },
    headers: { "x-chest-session": session },
  });
  await backend.store("first", {}, at("alice", "s-1"));
  await backend.store("second", {}, at("alice", "s-1"));
  await backend.store("of her own", { visibility: "private" }, at("alice", "s-2"));
  const ended = { session_id: "s-1", hook_event_name: "SessionEnd", reason: "exit", cwd: "/tmp" };
  await backend.post("/api/hooks/session-end", ended, at("alice", "s-1"));
  const seen = async (member: string) => (await backend.get("/api/sessions", at(member, "s-3"))).body;
  const hers = await seen("alice");
  expect(endpoints.listSessions.response.safeParse(hers).success).toBe(true);
  expect(hers).toMatchObject({
    total: 2,
    sessions: [
      { session_id: "s-2", author: "alice", memories: 1 },
      { session_id: "s-1", project: "host/org/sessions", memories: 2, edits: 0 },
    ],
    handoffs: [{ session_id: "s-1", kind: "exit", is_taken: false }],
  });
  expect(await seen("bob")).toMatchObject({ total: 1, sessions: [{ session_id: "s-1" }], handoffs: [] });
});

it("counts memories and openings by day, and lists what was never opened", async () => {
  const at = { member: "alice", project: "host/org/days" };
  const opened = await backend.store("opened", {}, at);
  const never = await backend.store("never", {}, at);
  await backend.tool("chest_recall", { ids: [opened] }, at);
  const unused = async () => (await backend.get("/api/memories?unused=true", at)).body.memories;
  await expect
    .poll(async () => (await unused()).map(({ id }: { id: number }) => id), { timeout: 5000 })
    .toEqual([never]);
  const { series } = (await backend.get("/stats?series=day", at)).body;
  expect(series).toMatchObject([{ memories: 2, openings: 1 }]);
  const elsewhere = { member: "alice", project: "host/org/other-days" };
  const ofOther = (await backend.get(`/stats?series=day&project=${encodeURIComponent(at.project)}`, elsewhere)).body;
  expect(ofOther.stats).toMatchObject({ memories: 2, by_day: { [series[0].day]: 2 } });
  expect(ofOther.series).toEqual(series);
  expect((await backend.get("/stats?series=day", elsewhere)).body.series).toEqual([]);
});

it("keeps questions without results when configured, scrubbed, and shows them to operators", async () => {
  const kept = await openSqliteApp({ CHEST_KEEP_GAPS: "1" });
  const at = { member: "alice", project: "host/org/gaps", scopes: ["read", "write", "operate"] } as const;
  await kept.store("there is a memory", {}, at);
  const ask = (input: object) => kept.tool("chest_recall", input, at);
  const secret = ["gh", "p_", "aB3".repeat(12)].join("");
  await ask({ query: `zebra  crossings ${secret}` });
  await ask({ query: `zebra crossings ${secret}` });
  await ask({ query: "memory" });
  await ask({ query: "quagga", tags: ["africa"] });
  await ask({ query: "still being typ", mark_accessed: false });
  const { body } = await kept.get("/api/gaps", at);
  expect(endpoints.listGaps.response.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({
    is_kept: true,
    gaps: [{ question: "zebra crossings [REDACTED]", project: "host/org/gaps", times: 2 }],
  });
  expect((await kept.get("/api/gaps", { ...at, scopes: ["read", "write"] })).status).toBe(403);
  await kept.close();

  await backend.tool("chest_recall", { query: "zebra crossings" }, at);
  expect((await backend.get("/api/gaps", at)).body).toMatchObject({ is_kept: false, gaps: [] });
});

it("opens a conversation with its turns, the newest first, to those who may see them", async () => {
  const at = { member: "alice", project: "host/org/talk" };
  const messages = (content: string) => [{ role: "user", content }];
  for (const content of ["Shall we paint the shed?", "Green would be nice for the shed."])
    await backend.tool(
      "chest_conversation",
      { action: "capture", conversation_id: "shed", messages: messages(content) },
      at,
    );
  const address = `/api/conversations/shed?project=${encodeURIComponent(at.project)}`;
  const { body } = await backend.get(address, at);
  expect(endpoints.conversation.response.safeParse(body).success).toBe(true);
  expect(body.turns.map(({ content }: { content: string }) => content)).toEqual([
    expect.stringContaining("Green"),
    expect.stringContaining("paint the shed"),
  ]);
  expect((await backend.get("/api/conversations/unheard-of", at)).body.turns).toEqual([]);
});
