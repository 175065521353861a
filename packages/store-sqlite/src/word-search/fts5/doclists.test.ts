import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../../database/connection.ts";
import { openSqliteEngine } from "../../index.ts";
import { Doclists } from "./doclists.ts";

const IMPACTS = { scope: 0, title: 4, tags: 3, words: 2, grams: 0 } as const;
const COLUMNS = Object.keys(IMPACTS) as (keyof typeof IMPACTS)[];

let folder: string;
let file: Database.Database;
let connection: Connection;
let doclists: Doclists;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "chest-doclists-"));
  const path = join(folder, "chest.db");
  await (await openSqliteEngine({ path })).close();
  file = new Database(path);
  connection = new Connection(path, { readonly: true });
  doclists = new Doclists(connection);
});
afterEach(() => {
  connection.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

type Row = Readonly<Record<keyof typeof IMPACTS, string>>;
const rows = new Map<number, Row>();
beforeEach(() => rows.clear());

const command = (name: string, value?: number) =>
  value === undefined
    ? file.prepare("INSERT INTO memory_fts (memory_fts) VALUES (?)").run(name)
    : file.prepare("INSERT INTO memory_fts (memory_fts, rank) VALUES (?, ?)").run(name, BigInt(value));

const valuesOf = (row: Row) => COLUMNS.map((column) => row[column]);

/** Puts a row in the place of what was there, or takes it out. */
function put(id: number, row: Partial<Row> | undefined): void {
  const old = rows.get(id);
  if (old) {
    const sql = `INSERT INTO memory_fts (memory_fts, rowid, ${COLUMNS}) VALUES ('delete', ?, ?, ?, ?, ?, ?)`;
    file.prepare(sql).run(id, ...valuesOf(old));
    rows.delete(id);
  }
  if (!row) return;
  const whole = { scope: "t", title: "", tags: "", words: "", grams: "", ...row };
  file.prepare(`INSERT INTO memory_fts (rowid, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`).run(id, ...valuesOf(whole));
  rows.set(id, whole);
}

const together = (work: () => void) => file.transaction(work)();

/** The same, one occurrence after the other. */
function bySqlite(term: string): [id: number, impact: number][] {
  const sums = new Map<number, number>();
  const sql = "SELECT doc, col FROM memory_term_places WHERE term = ?";
  for (const { doc, col } of connection.all<{ doc: number; col: keyof typeof IMPACTS }>(sql, term)) {
    const impact = IMPACTS[col];
    if (impact > 0) sums.set(doc, Math.min(255, (sums.get(doc) ?? 0) + impact));
  }
  return [...sums];
}

function read(term: string): [id: number, impact: number][] | undefined {
  const found = doclists.read(term, Object.values(IMPACTS));
  return found && Array.from({ length: found.length }, (_, at) => [found.ids[at] ?? 0, found.impacts[at] ?? 0]);
}

/** Every term there is, and two that are not there. */
function check(): void {
  const terms = connection.ids("SELECT term FROM memory_terms") as unknown as string[];
  for (const term of [...terms, "", "zzz-nowhere"]) expect([term, read(term)]).toEqual([term, bySqlite(term)]);
  expect(terms.length).toBeGreaterThan(0);
}

const WORDS = "amber basalt cobalt dolomite emerald feldspar garnet halite 認証 数据 인증 c++ a.b/c".split(" ");
const text = (seed: number, length: number) =>
  Array.from({ length }, (_, at) => WORDS[(seed * 7 + at * at * (seed % 5)) % WORDS.length]).join(" ");
const rowOf = (seed: number): Partial<Row> => ({
  scope: `p${seed % 3}`,
  title: seed % 4 === 0 ? text(seed + 1, 2) : "",
  tags: seed % 5 === 0 ? text(seed + 2, 1) : "",
  words: `${text(seed, 3 + (seed % 9))} row${seed % 400}`,
  grams: seed % 2 === 0 ? text(seed + 3, 4) : "",
});

describe("rows of a term, read from the pages of the index", () => {
  it("are what SQLite says, of an index that was written at once", () => {
    together(() => {
      for (let id = 1; id <= 5000; id++) put(id, rowOf(id));
    });
    check();
  });

  it("are what SQLite says while rows come, change and go, and segments are merged in part or wholly", () => {
    for (let turn = 0; turn < 40; turn++) {
      together(() => {
        for (let id = turn * 60; id < turn * 60 + 60; id++) put(id + 1, rowOf(id));
        for (let nth = 0; nth < turn; nth++) put(1 + ((turn * 7919 + nth * 31) % (turn * 60)), rowOf(turn + nth));
        for (let nth = 0; nth < turn % 7; nth++) put(1 + ((turn * 104_729 + nth * 17) % (turn * 60 + 1)), undefined);
      });
      if (turn % 9 === 4) command("merge", 4);
      if (turn % 13 === 7) command("merge", -16);
      if (turn % 5 === 0) check();
    }
    check();
    command("optimize");
    check();
  });

  it.each([32, 97, 1000, 4050])("are what SQLite says in pages of %i bytes, wherever they end", (size) => {
    command("pgsz", size);
    together(() => {
      for (let id = 1; id <= 800; id++) put(id * (id % 50 === 0 ? 900_001 : 1), rowOf(id));
    });
    // A row whose positions go over many pages, in every column.
    const long = text(3, 700);
    together(() => put(900_000_000, { title: long, tags: long, words: `${long} ${long}`, grams: long }));
    together(() => put(7, { title: "amber", words: long, grams: "amber" }));
    check();
    command("optimize");
    check();
  });

  it("are none where nothing was written yet, or nobody wrote it", () => {
    expect(read("amber")).toEqual([]);
    together(() => put(1, { words: "basalt" }));
    expect(read("amber")).toEqual([]);
  });

  it("are as of one moment, though others write", () => {
    together(() => put(1, { words: "amber" }));
    expect(read("amber")).toEqual([[1, 2]]);
    together(() => put(2, { words: "amber amber" }));
    expect(read("amber")).toEqual([
      [1, 2],
      [2, 4],
    ]);
    expect(connection.db.inTransaction).toBe(false);
  });

  it("are left to SQLite where the index is kept in another way", () => {
    together(() => put(1, { words: "amber" }));
    command("secure-delete", 1);
    together(() => put(1, undefined)); // From here on it is of a version that is not read here.
    together(() => put(2, { words: "amber" }));
    expect(connection.get("SELECT v FROM memory_fts_config WHERE k = 'version'")).toEqual({ v: 5 });
    expect(read("amber")).toBeUndefined();
  });

  it.each([
    ["a page is missing", "DELETE FROM memory_fts_data WHERE id > 1000 AND id % 2 = 1"],
    ["a page is cut", "UPDATE memory_fts_data SET block = substr(block, 1, 3) WHERE id > 1000"],
    ["pages are shorter than they say", "UPDATE memory_fts_data SET block = substr(block, 1, 20) WHERE id > 1000"],
    ["pages are of zeroes", "UPDATE memory_fts_data SET block = zeroblob(length(block)) WHERE id > 1000"],
    ["pages are of noise", "UPDATE memory_fts_data SET block = randomblob(length(block)) WHERE id > 1000"],
    ["the structure is cut", "UPDATE memory_fts_data SET block = substr(block, 1, 9) WHERE id = 10"],
    ["the structure is gone", "DELETE FROM memory_fts_data WHERE id = 10"],
  ])("say nothing wild where %s", (_, damage) => {
    together(() => {
      for (let id = 1; id <= 3000; id++) put(id, rowOf(id));
    });
    file.unsafeMode(true);
    file.exec(damage);
    for (const term of WORDS) {
      const found = read(term) ?? [];
      expect(found.length).toBeLessThanOrEqual(20_000);
      expect(connection.db.inTransaction).toBe(false);
    }
  });
});
