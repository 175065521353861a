import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor } from "@chest/core/pipeline";
import { SEGMENTER_VERSION } from "@chest/core/text";
import { TOOLS } from "@chest/core/tools";
import { aCall, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readEarlier } from "../database/migrations.ts";
import { openSqliteEngine } from "../index.ts";

const ports = testPorts();
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-resegment-"));
  path = join(folder, "chest.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withStore<T>(
  work: (run: (tool: string, input: unknown) => Promise<Record<string, unknown>>) => Promise<T>,
) {
  const engine = await openSqliteEngine({ path, clock: ports.clock, synchronous: "NORMAL", searchTimeoutMs: 30_000 });
  const tools = localExecutor(TOOLS, engine, ports);
  try {
    return await work((tool, input) => tools.execute(tool, input, aCall()) as Promise<Record<string, unknown>>);
  } finally {
    await engine.close();
  }
}

it("makes text rows of another version anew when a store is opened, and only then", async () => {
  const about = { entity_name: "acme", entity_kind: "project", layer: "context", tags: ["river"] };
  await withStore(async (run) => {
    for (let nth = 0; nth < 120; nth++) await run("chest_remember", { ...about, content: `배포는 작업${nth}` });
  });
  const db = new Database(path);
  const versions = () => db.prepare("SELECT DISTINCT segmenter_version FROM memories").pluck().all();
  // State of a store of an older version: without the additions of this one.
  db.exec(`UPDATE memories SET segmenter_version = '0';
    DELETE FROM meta WHERE key = 'segmenter_version';
    INSERT INTO memory_fts (memory_fts, rowid, scope, title, tags, words, grams)
      SELECT 'delete', memory_id, scope, title, tags, words, grams FROM memory_text;
    UPDATE memory_text SET words = 'zzz', grams = '', title = '', tags = '';
    INSERT INTO memory_fts (rowid, scope, title, tags, words, grams)
      SELECT memory_id, scope, title, tags, words, grams FROM memory_text;`);
  await withStore(async (run) => {
    await expect.poll(versions, { timeout: 20_000 }).toEqual([SEGMENTER_VERSION]);
    const { memories } = await run("chest_recall", { query: "작업7" });
    expect((memories as { content: string }[])[0]).toMatchObject({ content: "배포는 작업7" });
    expect(await run("chest_recall", { query: "zzz" })).toMatchObject({ count: 0 });
    expect(await run("chest_recall", { query: "river acme" })).toMatchObject({ total_candidates: 120 });
  });
  expect(db.prepare("SELECT count(*) FROM memory_text WHERE words = 'zzz'").pluck().get()).toBe(0);
  expect(() => db.exec("INSERT INTO memory_fts (memory_fts) VALUES ('integrity-check')")).not.toThrow();
  db.close();
});

it("makes text rows for memories of a time before there were any", async () => {
  const about = { entity_name: "acme", entity_kind: "project", layer: "context" };
  await withStore(async (run) => {
    const { memory_id } = await run("chest_remember", { ...about, content: "the old mill is closed" });
    await run("chest_forget", { memory_id });
    await run("chest_remember", { ...about, content: "the new mill is open" });
  });
  const db = new Database(path);
  db.exec(`DELETE FROM memory_text; DELETE FROM meta WHERE key = 'segmenter_version';
    INSERT INTO memory_fts (memory_fts) VALUES ('rebuild')`);
  const rows = () => db.prepare("SELECT count(*) FROM memory_text").pluck().get();
  await withStore(async (run) => {
    await expect.poll(rows, { timeout: 20_000 }).toBe(2);
    expect(await run("chest_recall", { query: "mill" })).toMatchObject({ count: 1 });
    expect(await run("chest_recall", { query: "mill", include_archived: true })).toMatchObject({ count: 2 });
  });
  expect(() => db.exec("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1)")).not.toThrow();
  db.close();
});

it("finds memories of an older release by their names", async () => {
  const about = { entity_name: "acme", entity_kind: "project", layer: "context" };
  await withStore((run) => run("chest_remember", { ...about, content: "ask Ann first", name: "deploy-rule" }));
  const db = new Database(path);
  db.exec(`INSERT INTO memory_fts (memory_fts, rowid, scope, title, tags, words, grams)
      SELECT 'delete', memory_id, scope, title, tags, words, grams FROM memory_text;
    UPDATE memory_text SET title = 'acme';
    INSERT INTO memory_fts (rowid, scope, title, tags, words, grams)
      SELECT memory_id, scope, title, tags, words, grams FROM memory_text;
    DELETE FROM chest_migrations`);
  const note = db.prepare("INSERT INTO chest_migrations VALUES (?, ?, 0)");
  for (const { name, sha256 } of readEarlier()) if (name !== "0280_found_by_name") note.run(name, sha256);
  const title = () => db.prepare("SELECT title FROM memory_text").pluck().get();
  await withStore(async (run) => {
    await expect.poll(title, { timeout: 20_000 }).toContain("rule");
    expect(await run("chest_recall", { query: "deploy-rule" })).toMatchObject({ count: 1 });
  });
  db.close();
});
