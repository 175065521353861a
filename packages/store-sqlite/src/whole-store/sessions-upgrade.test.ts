import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "@chest/core/access";
import { requestHash } from "@chest/core/idempotency";
import { aCall, aCaller } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apply, readEarlier } from "../database/migrations.ts";
import { openSqliteEngine } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "chest-sessions-upgrade-"));
const path = join(root, "chest.db");
const now = Math.floor(Date.now() / 1000);
const ALICE = aCaller({ member: { id: 7, name: "alice" }, project: "host/org/apple" });
const BOB = aCaller({ member: { id: 8, name: "bob" }, project: "host/org/apple" });
const REQUEST = { tool: "chest_forget", input: { memory_id: 1 } };
let engine: Awaited<ReturnType<typeof openSqliteEngine>>;

/** A store of the release before: a session was one member's, even if others used its id. */
beforeAll(async () => {
  const old = new Database(path);
  apply(
    old,
    readEarlier().filter(({ name }) => name < "0100"),
  );
  old.exec(`INSERT INTO members (id, name, created_at) VALUES (7, 'alice', 0), (8, 'bob', 0);
    INSERT INTO projects (id, key, created_at) VALUES (1, 'host/org/apple', 0);
    INSERT INTO entities (id, uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
      VALUES (1, 'e-1', 'p1', 'project', 'apple', 'apple', 'apple', 0, 0);
    INSERT INTO sessions (id, project_id, member_id, client, status, started_at, last_seen_at, imported_lines, last_line_hash, carry)
      VALUES ('one', 1, 7, 'claude/1', 'closed', 5, 9, 4, 'abc', '{"intents":[]}'), ('two', NULL, 8, NULL, 'active', 6, 8, 0, NULL, NULL);
    INSERT INTO session_file_edits (session_id, file_path, path_key, operation, turn_uuid, ordinal, context_snippet, occurred_at, space)
      VALUES ('one', '/src/A.ts', '/src/a.ts', 'edit', 't-1', 0, 'make it so', 7, 'p1'), ('two', '/src/b.ts', '/src/b.ts', 'write', 't-2', 1, NULL, 8, 'team');
    INSERT INTO session_snapshots (session_id, kind, project_id, member_id, body, created_at, consumed_by)
      VALUES ('one', 'compact', 1, 7, 'where it was', ${now}, 'three')`);
  const memory = old.prepare(
    `INSERT INTO memories (id, uid, entity_id, project_id, author_id, visibility, space, session_id, content, content_hash,
       content_sha1, segmenter_version, layer, created_at, updated_at)
     VALUES (?, ?, 1, 1, ?, 'project', 'p1', 'one', ?, ?, '', '', 'learning', ?, ?)`,
  );
  for (const [id, author] of [
    [1, 7],
    [2, 8],
  ] as const)
    memory.run(id, `m-${id}`, author, `fact ${id}`, `h${id}`, now, now);
  const answer = old.prepare(
    "INSERT INTO idempotency (member_id, key, tool, request_hash, answer, at) VALUES (7, ?, 'chest_forget', ?, ?, 1)",
  );
  answer.run("k-1", requestHash(REQUEST, ALICE), '{"ok":true,"memory_id":1}');
  answer.run("k-2", requestHash(REQUEST, ALICE), '{"ok":true}');
  old.close();
  engine = await openSqliteEngine({ path, synchronous: "NORMAL" });
});
afterAll(async () => {
  await engine.close();
  rmSync(root, { recursive: true, force: true });
});

const as = (caller: Caller, over = {}) => engine.as(aCall({ caller, ...over }));
function all(sql: string) {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

it("an upgrade keeps every session, edit and snapshot, as those of the member that had begun it", async () => {
  expect(all("PRAGMA foreign_key_check")).toEqual([]);
  expect(all("SELECT * FROM sessions ORDER BY id")).toEqual([
    {
      id: "one",
      project_id: 1,
      member_id: 7,
      client: "claude/1",
      status: "closed",
      started_at: 5,
      last_seen_at: 9,
      ended_at: null,
      prompt_count: 0,
      imported_lines: 4,
      last_line_hash: "abc",
      carry: '{"intents":[]}',
      joined_from: null,
    },
    expect.objectContaining({ id: "two", member_id: 8, project_id: null, status: "active" }),
  ]);
  expect(
    all("SELECT member_id, session_id, file_path, turn_uuid, context_snippet, space FROM session_file_edits"),
  ).toEqual([
    {
      member_id: 7,
      session_id: "one",
      file_path: "/src/A.ts",
      turn_uuid: "t-1",
      context_snippet: "make it so",
      space: "p1",
    },
    { member_id: 8, session_id: "two", file_path: "/src/b.ts", turn_uuid: "t-2", context_snippet: null, space: "team" },
  ]);
  expect(all("SELECT member_id, session_id, body, consumed_by FROM session_snapshots")).toEqual([
    { member_id: 7, session_id: "one", body: "where it was", consumed_by: "three" },
  ]);
});

it("after an upgrade a session goes on, and the same id is free for another member", async () => {
  expect(await as(ALICE).sessions.progress("one")).toMatchObject({ nextLine: 4, lastLineHash: "abc" });
  expect(await as(ALICE).sessions.workSnapshot("one")).toMatchObject({ text: "where it was" });
  const { files, memories } = await as(ALICE).sessions.trace("one");
  expect([files, memories.map(({ memory }) => memory.id)]).toEqual([[{ path: "/src/A.ts", edits: 1 }], [1]]);

  expect(await as(BOB).sessions.progress("one")).toBeUndefined();
  const progress = { nextLine: 2, lastLineHash: "xyz", carry: undefined };
  await as(BOB).write((tx) => tx.sessions.keepProgress("one", progress, BOB.project));
  expect(await as(BOB).sessions.progress("one")).toMatchObject({ nextLine: 2 });
  expect(await as(ALICE).sessions.progress("one")).toMatchObject({ nextLine: 4 });
});

it("after an upgrade an answer that was kept before it is given again to those whom its memory is open to", async () => {
  const asked = (idempotencyKey: string, caller: Caller) =>
    as(caller, { idempotencyKey, request: REQUEST }).once(async () => ({ ok: false }));
  expect(await asked("k-1", ALICE)).toEqual({ ok: true, memory_id: 1 });
  expect(await asked("k-2", ALICE)).toEqual({ ok: true });
  const narrow = { ...ALICE, token: { id: 1, projectIds: [99], expiresAt: undefined } };
  await expect(asked("k-1", narrow)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
