import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INDEX_ALONE } from "@chest/contracts";
import { aCall } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-diagnosis-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
let path: string;
let engine: Awaited<ReturnType<typeof openSqliteEngine>>;
beforeEach(async () => {
  count += 1;
  path = join(folder, `${count}.db`);
  engine = await openSqliteEngine({ path, searchTimeoutMs: 30_000 });
});
afterEach(() => engine.close());

/** Something done to the file behind the engine's back. */
function behind<T>(work: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

it("finds a store whole, and changes nothing by trying its writer", async () => {
  const seq = () => behind((db) => db.prepare("SELECT value FROM meta WHERE key = 'seq'").pluck().get());
  // A new store notes, in the background, which segmenter its text rows are of.
  const segmenter = () => behind((db) => db.prepare("SELECT 1 FROM meta WHERE key = 'segmenter_version'").get());
  await expect.poll(segmenter).toBeDefined();
  const before = seq();
  const found = await engine.inspect.examine();
  expect(found).toMatchObject({ path, doesExist: true, integrity: "ok", journalMode: "wal", missingTables: [] });
  expect(found).toMatchObject({ isWritable: true });
  expect(found).not.toHaveProperty("error");
  expect(seq()).toBe(before);
});

it("names a table that is missing", async () => {
  behind((db) => db.exec("DROP TABLE injections"));
  expect(await engine.inspect.examine()).toMatchObject({ missingTables: ["injections"], isWritable: true });
});

it("reports damage as a finding, without what is stored", async () => {
  const pages = behind((db) => {
    db.exec("CREATE TABLE filler (x TEXT); CREATE INDEX filler_x ON filler (x)");
    const add = db.prepare("INSERT INTO filler VALUES (?)");
    for (let i = 0; i < 2000; i++) add.run(`the stored text ${i}`);
    db.pragma("wal_checkpoint(TRUNCATE)");
    return Number(db.pragma("page_count", { simple: true }));
  });
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4096, 0x55), 0, 4096, (pages - 3) * 4096);
  closeSync(file);
  const { integrity } = await engine.inspect.examine();
  expect(integrity).not.toBe("ok");
  expect(integrity).not.toContain("the stored text");
});

it.each([
  ["damaged", "DELETE FROM memory_fts_data"],
  ["of another version", "UPDATE memory_fts_config SET v = 99 WHERE k = 'version'"],
])("says where the text index alone is %s, of which the rows can make another", async (_, sql) => {
  behind((db) => db.unsafeMode(true).exec(sql));
  expect((await engine.inspect.examine()).integrity).toMatch(new RegExp(`^${INDEX_ALONE}: `));
});

it("says that a file is gone", async () => {
  rmSync(path);
  expect(await engine.inspect.examine()).toMatchObject({
    doesExist: false,
    isWritable: false,
    error: expect.any(String),
  });
});

it("says that the writer takes nothing while somebody else holds the lock", async () => {
  const holder = new Database(path);
  holder.exec("BEGIN IMMEDIATE");
  const found = await engine.inspect.examine();
  holder.exec("ROLLBACK");
  holder.close();
  expect(found).toMatchObject({ integrity: "ok", isWritable: false, error: expect.any(String) });
}, 20_000);

it("marks rows anew when another identity becomes the active one", async () => {
  const [first, second] = ["one", "two"].map((model) => ({ model, revision: "1", dimensions: 2, pooling: "mean" }));
  if (!first || !second) throw new Error("two identities");
  const pending = async (active: typeof first) => {
    await engine.close();
    engine = await openSqliteEngine({ path, active, searchTimeoutMs: 30_000 });
    const [ofFirst, ofSecond] = await Promise.all(
      [first, second].map((identity) => engine.as(aCall()).memories.pending(identity, 0, 10)),
    );
    return [ofFirst?.remaining, ofSecond?.remaining];
  };
  await pending(first);
  await engine.as(aCall()).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: "acme",
      kind: "project",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const text = { content: "x", contentHash: "x", contentSha1: "x", words: "x", grams: "" };
    const rest = { layer: "learning", tags: [], importance: 0.5, visibility: "team", hasOwnExpiry: false } as const;
    const made = await tx.memories.add({ entity, text, projectKey: undefined, expiresAt: undefined, ...rest });
    await tx.vectors.put(made, second, Float32Array.of(1, 0));
  });
  expect(await pending(first)).toEqual([1, 0]);
  expect(await pending(second)).toEqual([1, 0]);
  expect(await pending(first)).toEqual([1, 0]);
});
