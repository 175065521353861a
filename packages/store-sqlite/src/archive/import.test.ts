import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveRecord, archiveRecord } from "@chest/core/archive";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { aCall, aCaller, fixedClock, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { importRecords, openSqliteEngine } from "../index.ts";
import { exportedFrom } from "../testing/exported.ts";

const DAY_S = 86_400;
const clock = fixedClock();
const nowS = Math.floor(clock.now().getTime() / 1000);

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-import-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const entity = (name: string) =>
  archiveRecord.parse({ type: "entity", uid: `e-${name}`, kind: "project", name, created_at: 1, updated_at: 1 });

const memory = (id: number, over: object = {}, columns: object = {}) =>
  archiveRecord.parse({
    type: "memory",
    uid: `m-${id}`,
    id,
    entity: "e-acme",
    visibility: "team",
    author: "alice",
    content: `fact ${id} of long ago`,
    columns: { layer: "learning", importance: 0.5, created_at: nowS - 300 * DAY_S, updated_at: nowS, ...columns },
    ...over,
  });

const bring = (path: string, records: Iterable<ArchiveRecord>) =>
  importRecords({ path, records, isDry: false, release: "test", clock });

function rows(path: string, sql: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

it("keeps whose each version is", async () => {
  const path = join(dir, "a.db");
  const version = { version: 1, snapshot: "{}", op: "revise", reason: null, changed_at: 5 };
  await bring(path, [entity("acme"), memory(1, { versions: [{ ...version, author: "bob" }] })]);
  const sql = "SELECT v.version, a.name FROM memory_versions v JOIN members a ON a.id = v.author_id";
  expect(rows(path, sql)).toEqual([{ version: 1, name: "bob" }]);
});

it("keeps no id that is far beyond any count, since the index has a place for each", async () => {
  const path = join(dir, "a.db");
  await bring(path, [entity("acme"), memory(7), memory(Number.MAX_SAFE_INTEGER)]);
  expect(rows(path, "SELECT id, uid FROM memories ORDER BY id")).toEqual([
    { id: 7, uid: "m-7" },
    { id: 8, uid: `m-${Number.MAX_SAFE_INTEGER}` },
  ]);
});

it("gives what comes in old its time here before forgetting and expiry take it, and keeps its dates", async () => {
  const path = join(dir, "a.db");
  const expires_at = nowS - DAY_S;
  const dated = { created_at: nowS - 40 * DAY_S, expires_at };
  await bring(path, [
    entity("acme"),
    memory(1),
    memory(2, {}, { ...dated, layer: "context" }),
    memory(3, {}, { ...dated, layer: "context", expires_explicit: 1 }),
  ]);
  const engine = await openSqliteEngine({ path, clock, synchronous: "NORMAL" });
  const { sweeps } = engine.lifecycle;
  const due = async () => {
    const [forgetting, expiry] = [await sweeps.forgetting({ cap: 10 }), await sweeps.expiry({ cap: 10 })];
    return { forgetting: forgetting.archives, expiry: expiry.archives };
  };
  expect(await due()).toEqual({ forgetting: [], expiry: [3] });
  clock.advance(27 * DAY_S * 1000);
  expect(await due()).toEqual({ forgetting: [], expiry: [2, 3] });
  clock.advance(80 * DAY_S * 1000);
  expect((await due()).forgetting).toContain(1);
  await engine.close();
  expect(rows(path, "SELECT created_at FROM memories WHERE id = 1")).toEqual([{ created_at: nowS - 300 * DAY_S }]);
});

const edit = (turn: string, over: object = {}) =>
  archiveRecord.parse({
    type: "edit",
    session: "one",
    visibility: "team",
    file_path: "/src/a.ts",
    operation: "edit",
    turn,
    ordinal: 0,
    snippet: null,
    occurred_at: nowS,
    ...over,
  });
const EDITS = `SELECT m.name AS member, e.turn_uuid AS turn FROM session_file_edits e JOIN members m ON m.id = e.member_id
  JOIN sessions s ON s.member_id = e.member_id AND s.id = e.session_id ORDER BY e.turn_uuid, e.member_id`;

it("keeps whose each session is, and goes round", async () => {
  const [first, second] = [join(dir, "a.db"), join(dir, "b.db")];
  const all = [edit("t-1", { author: "alice" }), edit("t-1", { author: "bob" }), edit("t-2", { author: "bob" })];
  expect((await bring(first, all)).edits).toBe(3);
  expect((await bring(first, all)).edits).toBe(0);
  const whose = [
    { member: "alice", turn: "t-1" },
    { member: "bob", turn: "t-1" },
    { member: "bob", turn: "t-2" },
  ];
  expect(rows(first, EDITS)).toEqual(whose);
  await bring(second, await exportedFrom(first));
  expect(rows(second, EDITS)).toEqual(whose);
});

it("brings an edit once, whether its archive says whose it is or is older and does not", async () => {
  const path = join(dir, "a.db");
  await bring(path, [edit("t-1", { author: "alice" })]);
  expect((await bring(path, [edit("t-1"), edit("t-2")])).edits).toBe(1);
  expect((await bring(path, [edit("t-2", { author: "alice" }), edit("t-2", { ordinal: 1 })])).edits).toBe(1);
  expect(rows(path, EDITS)).toEqual([
    { member: "alice", turn: "t-1" },
    { member: "local", turn: "t-2" },
    { member: "local", turn: "t-2" },
  ]);
});

it("gives every space its own entity of one of the archive, each memory once, and goes round", async () => {
  const [first, second] = [join(dir, "a.db"), join(dir, "b.db")];
  const all = [
    archiveRecord.parse({ ...entity("acme"), key: "acme.example" }),
    entity("bare"),
    memory(1),
    memory(2, { visibility: "private" }),
    memory(3, { visibility: "project", project: "host/org/shop" }),
  ];
  const dry = await importRecords({ path: first, records: all, isDry: true, release: "test" });
  const report = await bring(first, all);
  expect(dry).toEqual(report);
  expect(report.entities).toEqual({ inserted: 1, known: 0 });
  expect(report.left).toMatchObject([{ what: "entity name", refs: ["bare"], isByDesign: true }]);
  const spaces = `SELECT e.space, e.name, e.canonical_key AS key, m.id FROM entities e JOIN memories m
    ON m.entity_id = e.id AND m.space = e.space ORDER BY m.id`;
  const parted = ["team", expect.stringMatching(/^m\d+$/), "p1"].map((space, at) => ({
    space,
    name: "acme",
    key: at === 0 ? "acme.example" : null,
    id: at + 1,
  }));
  expect(rows(first, spaces)).toEqual(parted);
  expect((await bring(first, all)).memories).toMatchObject({ inserted: 0, unchanged: 3 });
  expect(rows(first, "SELECT id FROM entities")).toHaveLength(3);

  const copied = await bring(second, await exportedFrom(first));
  expect(copied).toMatchObject({ entities: { inserted: 3, known: 0 }, memories: { inserted: 3 } });
  expect(rows(second, spaces)).toEqual(parted);
});

it("keeps vectors of the model that the store is to go by, before it has any of it", async () => {
  const path = join(dir, "a.db");
  const model = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
  const vectors = [{ ...model, vector: Buffer.from(Float32Array.of(1, 0, 0, 0).buffer).toString("base64") }];
  const records = [entity("acme"), memory(1, { vectors })];
  const report = await importRecords({ path, records, isDry: false, release: "test", clock, active: model });
  expect(report.vectors).toEqual({ kept: 1, dropped: 0 });
});

it("brings work, conversations and triggers, once, and goes round", async () => {
  const [first, second] = [join(dir, "a.db"), join(dir, "b.db")];
  const engine = await openSqliteEngine({ path: first, clock, synchronous: "NORMAL" });
  const ports = { ...testPorts(), clock };
  const executor = localExecutor(TOOLS, engine, ports);
  const call = aCall({ caller: aCaller({ project: "host/org/apple" }) });
  const about = { layer: "learning", entity_name: "acme", entity_kind: "project" };
  const messages = [{ role: "user", content: "My son is allergic to eggs." }];
  await executor.execute("chest_conversation", { action: "capture", conversation_id: "kitchen", messages }, call);
  await executor.execute("chest_remember", { ...about, content: "Ask Ann.", trigger: { any: ["deploy"] } }, call);
  for (const title of ["prune the hedge", "rake the leaves", "sweep the yard"])
    await executor.execute("chest_work", { action: "add", title, files: ["yard.ts"], priority: 1 }, call);
  await executor.execute("chest_work", { action: "drop", id: "3", reason: "it rains" }, call);
  await executor.execute("chest_remember", { ...about, content: "The hedge is pruned.", closes_work: ["1"] }, call);
  await engine.close();

  const before = await exportedFrom(first);
  expect(before.filter(({ type }) => type === "work")).toMatchObject([
    { title: "prune the hedge", status: "done", closed_by: expect.any(String), project: "host/org/apple" },
    { title: "rake the leaves", status: "open", files: ["yard.ts"], priority: 1 },
    { title: "sweep the yard", status: "dropped", reason: "it rains" },
  ]);
  expect((await bring(second, before)).work).toBe(3);
  expect((await bring(second, before)).work).toBe(0);
  const without = (records: readonly ArchiveRecord[]) =>
    records.map((record) =>
      "columns" in record ? { ...record, columns: { ...record.columns, known_at: 0 } } : record,
    );
  expect(without(await exportedFrom(second))).toEqual(without(before));

  const other = await openSqliteEngine({ path: second, clock, synchronous: "NORMAL" });
  clock.advance(DAY_S * 1000);
  const there = localExecutor(TOOLS, other, ports);
  const asked = { action: "recall", conversation_id: "kitchen", flashback: 0 };
  const said = [{ role: "user", content: "What is my son allergic to before we deploy?" }];
  const { top, triggered } = await there.execute("chest_conversation", { ...asked, messages: said }, call);
  expect([top, triggered]).toMatchObject([[{ conversation_id: "kitchen" }], [{ content: "Ask Ann." }]]);
  await other.close();
});
