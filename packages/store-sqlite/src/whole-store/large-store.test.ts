import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { aCall, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { importRecords, openSqliteEngine, type SqliteEngine } from "../index.ts";
import { checkUntilKnown } from "../integrity/integrity-check.ts";
import { takeClosed } from "../store-file/clean-shutdown-marker.ts";

const root = mkdtempSync(join(tmpdir(), "chest-large-"));
const PAGE = 4096;
let count = 0;
let path: string;
let engine: SqliteEngine | undefined;

beforeEach(async () => {
  count += 1;
  mkdirSync(join(root, String(count)));
  path = join(root, String(count), "chest.db");
  await (await openSqliteEngine({ path })).close();
  const db = new Database(path);
  const add = db.prepare("INSERT INTO meta (key, value) VALUES (?, hex(randomblob(50000)))");
  for (let at = 0; at < 100; at++) add.run(`filler ${at}`);
  db.close();
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A page that nothing reads when a store is opened. */
function damage(): void {
  const db = new Database(path, { readonly: true });
  const page = Number(db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'file_facts'").pluck().get());
  db.close();
  const handle = openSync(path, "r+");
  writeSync(handle, Buffer.alloc(PAGE, 0x5a), 0, PAGE, (page - 1) * PAGE);
}

const remember = (opened: SqliteEngine) =>
  localExecutor(TOOLS, opened, testPorts()).execute(
    "chest_remember",
    { entity_name: "acme-api", entity_kind: "project", layer: "learning", content: "the well is deep" },
    aCall(),
  );

describe("a store too large to be looked through before it is opened", () => {
  it("takes writes when nothing is found", async () => {
    engine = await openSqliteEngine({ path });
    expect(await remember(engine)).toMatchObject({ action: "created" });
  });

  it("is read and not written when it turns out to be damaged, and every write is told how to restore", async () => {
    damage();
    const before = readFileSync(path);
    engine = await openSqliteEngine({ path });
    for (const _ of [1, 2]) {
      await expect(remember(engine)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringContaining("damaged"),
        hint: expect.stringContaining("chest-index restore"),
      });
    }
    await engine.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("takes nothing from an import when it turns out to be damaged", async () => {
    damage();
    const before = readFileSync(path);
    const coming = importRecords({ path, records: [], isDry: false, release: "test" });
    await expect(coming).rejects.toThrow("accepts no more writes");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is trusted to be as it was closed, once, where nothing has written to it since", async () => {
    expect(takeClosed(path)).toBe(false);
    engine = await openSqliteEngine({ path });
    await remember(engine);
    await engine.close();
    expect(takeClosed(path)).toBe(true);
    expect(takeClosed(path)).toBe(false);
  });

  it("is not trusted by whoever closed it before it was seen whole", async () => {
    await (await openSqliteEngine({ path })).close();
    expect(takeClosed(path)).toBe(false);
  });

  it("is not trusted where something else wrote to it, nor while it is open", async () => {
    engine = await openSqliteEngine({ path });
    await remember(engine);
    expect(takeClosed(path)).toBe(false);
    await engine.close();
    damage();
    expect(takeClosed(path)).toBe(false);
  });

  it("is not written to while nobody could look through it", async () => {
    const told: string[] = [];
    const checking = checkUntilKnown(join(root, "nowhere.db"), (trouble) => {
      told.push(trouble);
      checking.stop();
    });
    await expect(checking.verdict).rejects.toThrow();
    expect(told).toEqual([expect.stringContaining("nowhere.db")]);
  });

  it("has its text index made anew when that alone is damaged", async () => {
    engine = await openSqliteEngine({ path });
    await remember(engine);
    await engine.close();
    const db = new Database(path);
    db.unsafeMode(true);
    db.exec("DELETE FROM memory_fts_data");
    db.close();
    const said: string[] = [];
    const warn = (_: unknown, message: string) => void said.push(message);
    engine = await openSqliteEngine({ path, log: { info: () => undefined, warn } });
    await expect.poll(() => said.at(-1), { timeout: 20_000 }).toContain("the text index was rebuilt");
    const executor = localExecutor(TOOLS, engine, testPorts());
    expect(await executor.execute("chest_recall", { query: "well" }, aCall())).toMatchObject({ count: 1 });
  });

  it("closes while it is looked through", async () => {
    engine = await openSqliteEngine({ path });
    await engine.close();
  });
});
