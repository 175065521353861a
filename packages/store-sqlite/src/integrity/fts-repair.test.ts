import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { aCall, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteEngine, rebuildText, type SqliteEngine } from "../index.ts";

let folder: string;
let path: string;
let engine: SqliteEngine | undefined;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-mender-"));
  path = join(folder, "chest.db");
  said = [];
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const log = {
  info: () => undefined,
  warn: (fields: { readonly err?: Error }, message: string) => void said.push(fields.err?.message ?? message),
};
const open = async (): Promise<SqliteEngine> => {
  engine = await openSqliteEngine({ path, log, searchTimeoutMs: 60_000 });
  return engine;
};
const close = async (): Promise<void> => {
  await engine?.close();
  engine = undefined;
};

interface Answer {
  readonly search: string;
  readonly degraded?: readonly { readonly leg: string; readonly reason: string }[];
  readonly memories: readonly { readonly id: number }[];
}

const call = (tool: string, input: object) =>
  localExecutor(TOOLS, engine as SqliteEngine, testPorts()).execute(tool, input, aCall());
const remember = async (content: string): Promise<number> =>
  Number(
    (
      await call("chest_remember", {
        entity_name: "acme-api",
        entity_kind: "project",
        layer: "learning",
        content,
        force: true,
      })
    ).memory_id,
  );
const recall = async (query: string) =>
  (await call("chest_recall", { query, mark_accessed: false, max_tokens: 6000, format: "index" })) as unknown as Answer;
const found = async (query: string) => (await recall(query)).memories.map(({ id }) => id);

/** Asks until words answer again: never anything but nothing or the whole truth. */
async function foundOnceMended(query: string, whole: readonly number[]): Promise<number[]> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const answer = await recall(query);
    const ids = answer.memories.map(({ id }) => id);
    const isDegraded = answer.degraded?.some(({ leg, reason }) => leg === "words" && reason === "no_index");
    if (Date.now() > deadline) throw new Error(`not mended: ${said}`);
    if (!isDegraded) return ids;
    expect(whole).toEqual(expect.arrayContaining(ids));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const ROWS = 250;

let made: { readonly file: Buffer; readonly ids: readonly number[] } | undefined;

/** A store with enough rows that its index has several pages. */
async function aStore(): Promise<readonly number[]> {
  if (made) writeFileSync(path, made.file);
  else {
    await open();
    const contents = Array.from({ length: ROWS }, (_, nth) => `row${nth} of the ledger names otter${nth % 10} here`);
    const ids = await Promise.all(contents.map(remember));
    await close();
    made = { file: readFileSync(path), ids };
  }
  return made.ids;
}

function damage(sql: string): void {
  const db = new Database(path);
  db.unsafeMode(true);
  db.exec(sql);
  db.close();
}

const DAMAGES = [
  ["its pages hold nothing", "UPDATE memory_fts_data SET block = zeroblob(length(block)) WHERE id > 10"],
  ["a page is gone", "DELETE FROM memory_fts_data WHERE id = (SELECT max(id) FROM memory_fts_data)"],
  ["its structure is gone", "DELETE FROM memory_fts_data WHERE id = 10"],
  ["its structure says that it is empty", "UPDATE memory_fts_data SET block = x'00' WHERE id = 10"],
  ["all of it is gone", "DELETE FROM memory_fts_data"],
  ["its lengths are gone", "DELETE FROM memory_fts_docsize"],
  ["it is of another version", "UPDATE memory_fts_config SET v = 99 WHERE k = 'version'"],
  ["its settings are gone", "DELETE FROM memory_fts_config"],
] as const;

describe("a store whose text index is damaged", () => {
  it.each(DAMAGES)("makes it anew from the rows when it is opened, and says so: %s", async (_, sql) => {
    const ids = await aStore();
    damage(sql);
    await open();
    const otters = ids.filter((_, nth) => nth % 10 === 3);
    expect((await foundOnceMended("otter3", otters)).toSorted((a, b) => a - b)).toEqual(otters);
    expect(await found("row17")).toEqual([ids[17]]);
    await close();
    expect(said).toEqual([
      expect.stringContaining("the text index is damaged"),
      expect.stringContaining("the text index was rebuilt"),
    ]);
    said = [];
    await open();
    expect(await found("row17")).toEqual([ids[17]]);
    expect(said).toEqual([]);
  });

  it.each(DAMAGES)("takes writes, and finds them, while and after it is made anew: %s", async (_, sql) => {
    const ids = await aStore();
    damage(sql);
    await open();
    const added = await remember("row999 names otter3 as well");
    await call("chest_update_memory", { memory_id: ids[ROWS - 1], content: "row249 names a badger instead" });
    await call("chest_forget", { memory_id: ids[3] });
    const otters = [...ids.filter((_, nth) => nth % 10 === 3 && nth !== 3), added];
    expect((await foundOnceMended("otter3", otters)).toSorted((a, b) => a - b)).toEqual(otters);
    expect(await found("badger")).toEqual([ids[ROWS - 1]]);
    await close();
    const db = new Database(path, { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });

  it("notices at a question, or at a write, what was damaged since it was opened", async () => {
    for (const asks of [() => recall("otter3 fresh"), () => remember("row1000 is fresh").catch(() => undefined)]) {
      const ids = await aStore();
      await open();
      damage("DELETE FROM memory_fts_data");
      await asks();
      await asks();
      const otters = ids.filter((_, nth) => nth % 10 === 3);
      expect((await foundOnceMended("otter3 row3", otters)).length).toBeGreaterThan(0);
      await close();
      expect(said.at(-1)).toContain("the text index was rebuilt");
      rmSync(folder, { recursive: true, force: true });
      folder = mkdtempSync(join(tmpdir(), "chest-mender-"));
      path = join(folder, "chest.db");
    }
  });

  it("is mended when a backup finds it so, and the next one is made", async () => {
    await aStore();
    const opened = await open();
    damage("DELETE FROM memory_fts_data WHERE id = (SELECT max(id) FROM memory_fts_data)");
    await expect(opened.backups.make("by-hand")).rejects.toThrow();
    await remember("row1001 is written as ever");
    await expect.poll(() => said.at(-1), { timeout: 20_000 }).toContain("the text index was rebuilt");
    expect(await opened.backups.make("by-hand")).toMatchObject({
      rows: expect.objectContaining({ memories: ROWS + 1 }),
    });
  });

  it("is mended where only a write notices", async () => {
    const ids = await aStore();
    await open();
    damage("DELETE FROM memory_fts_data WHERE id = 1");
    await remember("row1002 is not written").catch(() => undefined);
    await expect.poll(() => said.at(-1), { timeout: 20_000 }).toContain("the text index was rebuilt");
    const added = await remember("row1003 is written");
    expect([(await found("row1003"))[0], await found("row17")]).toEqual([added, [ids[17]]]);
  });

  it("goes on where it was ended in the middle", async () => {
    const ids = await aStore();
    damage("DELETE FROM memory_fts_data");
    damage(`INSERT INTO memory_fts (memory_fts) VALUES ('delete-all');
      INSERT INTO memory_fts (rowid, scope, title, tags, words, grams)
        SELECT memory_id, scope, title, tags, words, grams FROM memory_text LIMIT 100;
      INSERT OR REPLACE INTO meta (key, value) VALUES ('text_index', '1 filling')`);
    await open();
    const otters = ids.filter((_, nth) => nth % 10 === 3);
    expect((await foundOnceMended("otter3", otters)).toSorted((a, b) => a - b)).toEqual(otters);
  });

  it("is not written to when more than the index is damaged", async () => {
    await aStore();
    damage(`DELETE FROM memory_fts_data;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'memories') WHERE name = 'file_facts'`);
    const before = readFileSync(path);
    await expect(open()).rejects.toMatchObject({ name: "CannotOpen", message: expect.stringContaining("damaged") });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is mended by hand, too, with the store to oneself", async () => {
    const ids = await aStore();
    for (const [, sql] of DAMAGES) {
      damage(sql);
      expect(await rebuildText(path)).toMatchObject({ memories: ROWS });
      await open();
      expect(await found("row17")).toEqual([ids[17]]);
      await close();
    }
    expect(said).toEqual([]);
  });
});
