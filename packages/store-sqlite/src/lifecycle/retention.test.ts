import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  activation,
  COUNTED_ACCESSES,
  DEFAULT_MAINTENANCE,
  previewPasses,
  runJournalled,
  traceOf,
} from "@chest/core/lifecycle";
import type { Engine } from "@chest/core/ports";
import { aCall, fixedClock } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-retention-"));
const path = join(folder, "chest.db");
const clock = fixedClock();
const DAY_S = 86_400;

let engine: Engine;
let db: Database.Database;
let member: number;
let memory: number;
beforeAll(async () => {
  engine = await openSqliteEngine({ path, clock, synchronous: "NORMAL" });
  memory = await engine.as(aCall()).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: "a",
      kind: "file",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const text = { content: "x", contentHash: "h", contentSha1: "s", words: "x", grams: "" };
    const rest = { layer: "learning", tags: [], importance: 0.5, visibility: "team" } as const;
    const draft = { entity, text, ...rest, projectKey: undefined, expiresAt: undefined, hasOwnExpiry: false };
    return (await tx.memories.add(draft)).id;
  });
  db = new Database(path);
  member = db.prepare("SELECT id FROM members LIMIT 1").pluck().get() as number;
  for (const { table } of ROWS) if (table !== "memory_access_log") db.prepare(`DELETE FROM ${table}`).run();
});
afterAll(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A table, how long its rows are kept, and how one is written at a moment (`n` keeps it apart from others). */
const ROWS: readonly { table: string; days: number; at: string; row: (n: number) => Record<string, unknown> }[] = [
  { table: "events", days: 90, at: "occurred_at", row: () => ({ kind: "memory_stored", payload: "{}" }) },
  {
    table: "session_snapshots",
    days: 14,
    at: "created_at",
    row: (n) => ({ session_id: `s-${n}`, kind: "exit", member_id: member, body: "{}" }),
  },
  {
    table: "file_snapshots",
    days: 30,
    at: "last_read_at",
    row: (n) => ({
      machine: "m",
      member_id: member,
      session_key: "s",
      path: `${n}.ts`,
      content_hash: "h",
      mtime_ns: "1",
      size: 1,
      chunks: "[]",
    }),
  },
  {
    table: "injections",
    days: 90,
    at: "at",
    row: (n) => ({ member_id: member, session_id: `s-${n}`, memory_id: memory, surface: "prompt", tokens: 9 }),
  },
  {
    table: "idempotency",
    days: 32,
    at: "at",
    row: (n) => ({ member_id: member, key: `k-${n}`, tool: "chest_remember", request_hash: "h", answer: "{}" }),
  },
  {
    table: "audit_log",
    days: 400,
    at: "at",
    row: () => ({ member_id: member, op: "remember", outcome: "ok", memory_ids: "[]" }),
  },
  { table: "maintenance_runs", days: 400, at: "started_at", row: () => ({ trigger: "timer", outcome: "done" }) },
];

function put(table: string, row: Record<string, unknown>): number | bigint {
  const columns = Object.keys(row);
  return db
    .prepare(`INSERT INTO ${table} (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => "?")})`)
    .run(Object.values(row)).lastInsertRowid;
}

const ago = (seconds: number) => clock.now().getTime() / 1000 - seconds;
const maintenance = { ...DEFAULT_MAINTENANCE };
const running = { trigger: "operator", signal: new AbortController().signal } as const;
const preview = async () => (await previewPasses(engine.lifecycle.sweeps, ["retention"], maintenance))[0];
const run = async () =>
  (await runJournalled(engine.lifecycle, ["retention"], maintenance, running)).reports[0]?.changed;

describe("retention", () => {
  it.each(ROWS)("keeps rows of $table for $days days, and not longer", async ({ table, days, at, row }) => {
    put(table, { ...row(1), [at]: ago(days * DAY_S + 1) });
    put(table, { ...row(2), [at]: ago(days * DAY_S - 60) });
    const moments = () => db.prepare(`SELECT ${at} FROM ${table} ORDER BY ${at}`).pluck().all();

    expect(await preview()).toMatchObject({ changed: 1, note: `${table} 1` });
    expect(await run()).toBe(1);
    // The run that took the others away is itself a row of one of the tables.
    expect(moments()).not.toContain(ago(days * DAY_S + 1));
    expect(moments()).toContain(ago(days * DAY_S - 60));
    expect(await run()).toBe(0);
  });

  it("Stale sessions abandoned after 24 h: gives a session up that nobody closed, after a day, and leaves a closed one as it is", async () => {
    const session = (id: string, status: string, seconds: number) =>
      put("sessions", {
        id,
        status,
        member_id: member,
        started_at: ago(seconds),
        last_seen_at: ago(seconds),
      });
    session("left", "active", DAY_S + 1);
    session("at work", "active", DAY_S - 60);
    session("closed", "closed", 9 * DAY_S);

    expect(await run()).toBe(1);
    expect(db.prepare("SELECT id, status FROM sessions ORDER BY id").raw().all()).toEqual([
      ["at work", "active"],
      ["closed", "closed"],
      ["left", "abandoned"],
    ]);
  });

  it("keeps of a memory's accesses as many as count, the newest", async () => {
    const stamps = () =>
      db.prepare("SELECT accessed_at FROM memory_access_log ORDER BY accessed_at DESC").pluck().all();
    for (let n = 1; n <= COUNTED_ACCESSES + 3; n++)
      put("memory_access_log", { memory_id: memory, accessed_at: ago(n) });
    db.prepare("UPDATE memories SET access_count = 53, last_accessed_at = ?").run(ago(1));
    const score = async () => {
      db.exec("DELETE FROM memory_activation");
      await runJournalled(engine.lifecycle, ["activation"], maintenance, running);
      return db.prepare("SELECT score FROM memory_activation").pluck().get() as number;
    };
    const before = await score();

    expect(await run()).toBe(3);
    expect(stamps()).toEqual(Array.from({ length: COUNTED_ACCESSES }, (_, at) => ago(at + 1)));
    // Rows that are removed had no weight left.
    expect(await score()).toBeCloseTo(before, 12);
    const traces = Array.from({ length: COUNTED_ACCESSES }, (_, at) => traceOf(at + 1)).reduce(
      (sum, each) => sum + each,
    );
    expect(before).toBeCloseTo(activation(traces), 12);
    expect(await run()).toBe(0);
  });
});

it("leaves a text index of few segments, and what it says", async () => {
  const find = async (word: string) => {
    const unit = { alternatives: [{ terms: [{ text: word, isGram: false }], weight: 1 }], weight: 1, isSought: true };
    const asked = { text: word, words: [word], grams: [], units: [unit], wasCut: false };
    const where = { reach: "everywhere", withArchived: false, withSuperseded: false } as const;
    return (await engine.as(aCall()).search.matchWords(asked, where, 500))?.map(({ id }) => id).sort((a, b) => a - b);
  };
  const automerge = (segments: number) =>
    db.prepare("INSERT INTO memory_fts (memory_fts, rank) VALUES ('automerge', ?)").run(BigInt(segments));
  automerge(0); // As they are left in a store that is larger than this one.
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) {
    ids.push(
      await engine.as(aCall()).write(async (tx) => {
        const { entity } = await tx.entities.findOrAdd({
          name: "a",
          kind: "file",
          key: undefined,
          visibility: "team",
          projectKey: undefined,
        });
        const text = { content: `n${n}`, contentHash: `h${n}`, contentSha1: "s", words: `heron n${n}`, grams: "" };
        const rest = { layer: "learning", tags: [], importance: 0.5, visibility: "team" } as const;
        const draft = { entity, text, ...rest, projectKey: undefined, expiresAt: undefined, hasOwnExpiry: false };
        return (await tx.memories.add(draft)).id;
      }),
    );
  }
  const segments = () => db.prepare("SELECT count(DISTINCT segid) FROM memory_fts_idx").pluck().get() as number;
  expect(segments()).toBeGreaterThan(10);
  automerge(4);
  await runJournalled(engine.lifecycle, ["retention"], DEFAULT_MAINTENANCE, {
    trigger: "operator",
    signal: new AbortController().signal,
  });
  expect(segments()).toBeLessThanOrEqual(3);
  expect(await find("heron")).toEqual(ids);
  expect(await find("n7")).toEqual([ids[7]]);
  db.prepare("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 0)").run();
});
