import { endpoints } from "@chest/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const ALICE = { member: "alice", project: "host/org/upkeep" };
const OPERATOR = { member: "root", scopes: ["read", "write", "operate"] } as const;
const maintain = (body: object) => backend.post("/api/maintenance", body, OPERATOR);
const expired = (passes: readonly { name: string; changed: number }[]) =>
  passes.find(({ name }) => name === "expiry")?.changed;

it("previews a run, does it, and restores what it archived", async () => {
  const id = await backend.store("soon over", { expires_at: Math.ceil(Date.now() / 1000) + 60 }, ALICE);
  const state = async () => (await backend.get(`/api/memories/${id}`, ALICE)).body.memory.state;
  backend.advance(3_600_000);

  const previewed = await maintain({ action: "preview" });
  expect(endpoints.maintain.response.safeParse(previewed.body).success).toBe(true);
  expect([expired(previewed.body.passes), await state()]).toEqual([1, "live"]);
  const ran = await maintain({ action: "run" });
  expect([expired(ran.body.passes), await state()]).toEqual([1, "archived"]);
  const listed = (await backend.get("/api/maintenance", OPERATOR)).body;
  expect(endpoints.listMaintenance.response.safeParse(listed).success).toBe(true);
  expect(listed.runs[0]).toMatchObject({ id: ran.body.run_id, trigger: "operator", outcome: "done" });
  expect((await maintain({ action: "undo", run_id: ran.body.run_id })).body).toMatchObject({ restored: 1 });

  expect(await state()).toBe("live");
});

it("refuses an unknown run, and a run's id where none is accepted", async () => {
  expect((await maintain({ action: "undo", run_id: 9999 })).status).toBe(404);
  expect((await maintain({ action: "undo" })).body.error.details).toMatchObject({ field: "run_id" });
  expect((await maintain({ action: "run", run_id: 1 })).status).toBe(400);
  expect((await maintain({ action: "sweep" })).status).toBe(400);
});
