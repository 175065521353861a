import { endpoints } from "@chest/contracts";
import { transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp({ CHEST_REVIEW: "1" });
});
afterAll(() => backend.close());

const ALICE = { member: "alice", project: "host/org/review" };
const ROOT = { member: "root", project: "host/org/review", scopes: ["read", "write", "operate", "admin"] } as const;
const promotions = async (by: object) => (await backend.get("/api/inbox", by)).body.counts.promotions;

it("counts and lists what waits for an admin, who approves it; the audit log names the admin", async () => {
  const id = await backend.store("The team deploys on Tuesdays.", { visibility: "team" }, ALICE);
  expect([await promotions(ALICE), await promotions(ROOT), await promotions({ ...ALICE, member: "bob" })]).toEqual([
    1, 1, 0,
  ]);
  const { body } = await backend.get("/api/views/promotions", ROOT);
  expect(endpoints.view.response.safeParse(body).success).toBe(true);
  expect(body.items).toMatchObject([{ id, author: "alice", requested_visibility: "team" }]);
  await backend.tool("chest_update_memory", { memory_id: id, promotion: "approve" }, ROOT);
  expect(await promotions(ROOT)).toBe(0);
  const { entries } = (await backend.get(`/api/audit?memory_id=${id}&member=root`, ROOT)).body;
  expect(entries).toMatchObject([{ op: "chest_update_memory", outcome: "ok", memory_ids: [id] }]);
  const bobs = { member: "bob", project: "host/org/another" };
  expect((await backend.tool("chest_recall", { query: "deploys Tuesdays" }, bobs)).memories).toMatchObject([{ id }]);
});

it("makes team memories of the shared token, which agents use, wait as well", async () => {
  await backend.store("The shared token speaks.", { visibility: "team" });
  expect(await promotions({})).toBe(1);
});

it("keeps what a hook captures outside any project private to its author, without approval", async () => {
  const lines = transcriptOf("outside").user("Please remember that the tide tables are in the drawer of the desk.");
  const by = { member: "carol", headers: { "content-type": "application/x-ndjson" } };
  const { body } = await backend.post("/api/hooks/sync-session", lines, by);
  expect(body.memoriesInserted).toBeGreaterThan(0);
  const { memories } = (await backend.get("/api/memories", { member: "carol" })).body;
  const own = memories.filter(({ author }: { author: string }) => author === "carol");
  expect(own.length).toBeGreaterThan(0);
  for (const memory of own) expect(memory).toMatchObject({ visibility: "private" });
  expect(await promotions({ member: "carol" })).toBe(0);
});
