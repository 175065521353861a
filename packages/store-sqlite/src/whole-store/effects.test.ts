import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import type { Engine } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { aCall, aCaller, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-effects-"));
const path = join(folder, "chest.db");
const ports = testPorts();
const caller = aCaller({
  member: { id: 21, name: "ann" },
  project: "host/org/effects",
  client: { name: "chest-memory", version: "0.4.0", session: "s-1" },
});

let engine: Engine;
let db: Database.Database;
beforeAll(async () => {
  engine = await openSqliteEngine({ path, clock: ports.clock, synchronous: "NORMAL" });
  db = new Database(path, { readonly: true });
});
afterAll(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values);
const run = async (tool: string, input: unknown, over: Partial<Call> = {}) => {
  const answer = await localExecutor(TOOLS, engine, ports).execute(tool, input, aCall({ caller, ...over }));
  return Number(answer.memory_id);
};
const remember = (over: Readonly<Record<string, unknown>> = {}, call?: Partial<Call>) =>
  run(
    "chest_remember",
    { entity_name: "acme", entity_kind: "project", layer: "context", content: "a fact", ...over },
    call,
  );

describe("a write leaves", () => {
  it("who wrote, from where, for which project and when; its event, its text row, one audit row", async () => {
    const id = await remember({ content: "stamped by the store", tags: ["one"] });
    const nowS = ports.clock.now().getTime() / 1000;
    expect(rows("SELECT * FROM memories WHERE id = ?", id)).toMatchObject([
      {
        author_id: 21,
        client: "chest-memory/0.4.0",
        session_id: "s-1",
        visibility: "project",
        source_type: "manual",
        created_at: nowS,
        updated_at: nowS,
        embedding_status: "pending",
        version: 1,
        segmenter_version: expect.any(String),
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        content_sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ]);
    const project =
      "SELECT p.key, m.space = 'p' || p.id AS fits FROM memories m JOIN projects p ON p.id = m.project_id WHERE m.id = ?";
    expect(rows(project, id)).toEqual([{ key: "host/org/effects", fits: 1 }]);
    expect(rows("SELECT kind, payload FROM events ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "memory_stored", payload: JSON.stringify({ memory_id: id }) },
    ]);
    expect(rows("SELECT tags, words FROM memory_text WHERE memory_id = ?", id)).toMatchObject([
      { tags: expect.stringContaining("one") },
    ]);
    const audit = rows(
      "SELECT op, member_id, client, outcome FROM audit_log WHERE memory_ids = ?",
      JSON.stringify([id]),
    );
    expect(audit).toEqual([{ op: "chest_remember", member_id: 21, client: "chest-memory/0.4.0", outcome: "ok" }]);
    expect(rows("SELECT id, member_id FROM sessions")).toEqual([{ id: "s-1", member_id: 21 }]);
    expect(rows("SELECT name FROM members WHERE id = 21")).toEqual([{ name: "ann" }]);
  });

  it("the state before each change of meaning as a version", async () => {
    const id = await remember({ content: "first wording" });
    await run("chest_update_memory", { memory_id: id, content: "second wording" });
    await run("chest_update_memory", { memory_id: id, importance: 0.7 });
    await run("chest_update_memory", { memory_id: id, importance: 0.7 });
    await run("chest_forget", { memory_id: id });
    const versions = rows(
      "SELECT version, op, reason, author_id, snapshot FROM memory_versions WHERE memory_id = ? ORDER BY version",
      id,
    );
    expect(versions).toMatchObject([
      { version: 1, op: "revise", author_id: 21, snapshot: expect.stringContaining('"first wording"') },
      { version: 2, op: "revise", snapshot: expect.stringContaining('"importance":0.5') },
      { version: 3, op: "archive", reason: "forget", snapshot: expect.stringContaining('"importance":0.7') },
    ]);
    expect(rows("SELECT kind, payload FROM events ORDER BY id DESC LIMIT 1")).toEqual([
      { kind: "memory_archived", payload: JSON.stringify({ memory_id: id, reason: "forget" }) },
    ]);
  });

  it.each([["null"], ["123"], ['"was here"'], ["[1]"], ["as it came"]])(
    "a version that reads as it stands, where %s came in as one",
    async (snapshot) => {
      const id = await remember({ content: `first wording beside ${snapshot}` });
      await run("chest_update_memory", { memory_id: id, content: `second wording beside ${snapshot}` });
      const writing = new Database(path);
      writing.prepare("UPDATE memory_versions SET snapshot = ? WHERE memory_id = ?").run(snapshot, id);
      writing.close();
      const { versions } = await engine.as(aCall({ caller })).memories.pastVersions({ id, limit: 9, offset: 0 });
      expect(versions).toMatchObject([{ version: 1, content: snapshot, tags: [] }]);
    },
  );

  it("a link from the successor, and the event of it", async () => {
    const old = await remember({ content: "the old one", entity_name: "of another" });
    const id = await remember({ content: "the new one", supersedes: [old] });
    expect(rows("SELECT to_id, type, origin FROM memory_links WHERE from_id = ?", id)).toEqual([
      { to_id: old, type: "supersedes", origin: "manual" },
    ]);
    expect(rows("SELECT payload FROM events WHERE kind = 'memory_superseded'")).toEqual([
      { payload: JSON.stringify({ memory_id: old, by: id }) },
    ]);
    expect(rows("SELECT scope FROM memory_text WHERE memory_id = ?", old)).toEqual([
      { scope: expect.stringMatching(/\.s$/) },
    ]);
  });

  it("its answer under its key, without content; a refusal leaves nothing at all", async () => {
    const id = await remember({ content: "kept confidentially" }, { idempotencyKey: "key-1" });
    const kept = rows("SELECT tool, answer FROM idempotency WHERE key = 'key-1' AND member_id = 21");
    expect(kept).toEqual([{ tool: "chest_remember", answer: expect.stringContaining(String(id)) }]);
    expect(JSON.stringify(kept)).not.toContain("confidentially");
    const tables = [
      "memories",
      "entities",
      "events",
      "audit_log",
      "idempotency",
      "memory_text",
      "memory_versions",
      "projects",
    ];
    const counts = () => tables.map((table) => rows(`SELECT count(*) AS n FROM ${table}`));
    const before = counts();
    const goal = { entity_name: "new one", content: "x".repeat(8001), project: "host/org/never" };
    await expect(remember(goal, { idempotencyKey: "key-2" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(run("chest_forget", { memory_id: 999_999 }, { idempotencyKey: "key-3" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(counts()).toEqual(before);
  });

  it("the index and the rows in agreement", () => {
    const check = new Database(path);
    check.exec("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1)");
    check.close();
    expect(rows("SELECT count(*) AS n FROM memories")).toEqual(rows("SELECT count(*) AS n FROM memory_text"));
    expect(rows("SELECT * FROM pragma_foreign_key_check")).toEqual([]);
  });
});
