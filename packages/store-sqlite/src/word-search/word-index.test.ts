import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bm25, readQuery } from "@chest/core/recall";
import { segment } from "@chest/core/text";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "../database/connection.ts";
import { openSqliteEngine } from "../index.ts";
import { matchWords, type WordSearch } from "./match-words.ts";
import { WordIndex } from "./word-index.ts";

let folder: string;
let file: Database.Database;
let connections: Connection[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "chest-words-"));
  const path = join(folder, "chest.db");
  await (await openSqliteEngine({ path })).close();
  file = new Database(path);
  file.pragma("foreign_keys = OFF"); // Text rows alone: the index asks for nothing else.
  connections = [];
});
afterEach(() => {
  for (const connection of connections) connection.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const search = (name = "chest.db"): WordSearch => {
  const connection = new Connection(join(folder, name), { readonly: true });
  connections.push(connection);
  return {
    connection,
    index: new WordIndex(connection),
    ranking: new Bm25(),
  };
};

const EVERYTHING = { withArchived: false, withSuperseded: false, nowS: 0 };
const found = (by: WordSearch, words: string, grams = "", space = "t", limit = 10): number[] => {
  const split = (text: string) => text.split(" ").filter((term) => term !== "");
  const unit = (isGram: boolean) => (text: string) => ({
    alternatives: [{ terms: [{ text, isGram }], weight: 1 }],
    weight: 1,
  });
  const units = [...split(words).map(unit(false)), ...split(grams).map(unit(true))];
  return [...(matchWords(by, units, EVERYTHING, [space as "t"], limit)?.ids ?? [])];
};

/** Writes a row and updates the index, as the writer does. */
function put(
  id: number,
  words: string,
  { scope = "t", title = "", tags = "", grams = "" } = {},
  into: Database.Database = file,
): void {
  take(id, into);
  into
    .prepare(`INSERT INTO memory_text (memory_id, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (memory_id) DO UPDATE SET (scope, title, tags, words, grams) =
        (excluded.scope, excluded.title, excluded.tags, excluded.words, excluded.grams)`)
    .run(id, scope, title, tags, words, grams);
  into
    .prepare("INSERT INTO memory_fts (rowid, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)")
    .run(id, scope, title, tags, words, grams);
}

function take(id: number, from: Database.Database = file): void {
  from
    .prepare(`INSERT INTO memory_fts (memory_fts, rowid, scope, title, tags, words, grams)
      SELECT 'delete', memory_id, scope, title, tags, words, grams FROM memory_text WHERE memory_id = ?`)
    .run(id);
}

function remove(id: number, from: Database.Database = file): void {
  take(id, from);
  from.prepare("DELETE FROM memory_text WHERE memory_id = ?").run(id);
}

const many = (from: number, to: number, words: (id: number) => string, scope: (id: number) => string = () => "t") =>
  file.transaction(() => {
    for (let id = from; id <= to; id++) put(id, words(id), { scope: scope(id) });
  })();

describe("a search thread's picture of the text index", () => {
  it("ranks titles before texts, and the short before the long", () => {
    put(1, "vault one two three four five six seven eight");
    put(2, "one two three", { title: "vault" });
    put(3, "vault one");
    expect(found(search(), "vault")).toEqual([2, 3, 1]);
  });

  it.each(["read from the index", "come since"])("ranks titles, then tags, then texts: %s", (how) => {
    const putAll = () => {
      put(1, "vault three two");
      put(2, "one three two", { tags: "vault" });
      put(3, "one three two", { title: "vault" });
    };
    const asking = search();
    if (how === "come since") expect(found(asking, "vault")).toEqual([]);
    putAll();
    expect(found(asking, "vault")).toEqual([3, 2, 1]);
  });

  it.each([1_000_001, 1_000_002, 1_000_003, 123_454])("is asked for common and rare words in a store of %i", (rows) => {
    put(rows - 1, "vault one");
    put(rows, "vault two");
    expect(found(search(), "vault two")).toEqual([rows, rows - 1]);
  });

  it("finds the one row of an identifier among 20,000 that are full of its parts", () => {
    const identifiers = ["restorePurgeTokenByName", "ERR_PURGE_TOKEN_4711", "packages/purge/token-name.ts"];
    const parts = segment("restore the purge token by its name, error err 4711 in packages ts").words;
    many(1, 20_000, (id) => `${parts} row${id}`);
    for (const [at, identifier] of identifiers.entries()) {
      const { words, grams } = segment(`Look at ${identifier} first.`);
      put(20_001 + at, words, { grams });
    }
    many(20_100, 20_500, (id) => `${parts} row${id}`);

    const asking = search();
    for (const [at, identifier] of identifiers.entries()) {
      const { units } = readQuery(`what of ${identifier} here`);
      expect([identifier, matchWords(asking, units, EVERYTHING, ["t"], 10)?.ids[0]]).toEqual([identifier, 20_001 + at]);
    }
  });

  it("goes on to frequent words where the rare ones stand in other spaces, and takes none for frequent by what lies there", () => {
    many(1, 1500, (id) => (id <= 600 ? "otter" : "heron"));
    put(1501, "marmot otter", { scope: "p1" });
    put(1502, "otter", { scope: "p1" });
    expect(found(search(), "marmot otter", "", "t")[0]).toBe(1);
    expect(found(search(), "marmot otter", "", "p1")).toEqual([1501, 1502]);
    expect(found(search(), "marmot", "", "t")).toEqual([]);
  });

  it("counts by a sample what is frequent in many rows, unless it is to count them all", () => {
    many(1, 5000, (id) => (id % 3 === 0 ? "marmot" : "otter"));
    const exact = new WordIndex(search().connection, Number.POSITIVE_INFINITY);
    const sampled = search().index;
    const [counted, guessed] = [exact, sampled].map((index) => {
      expect(index.catchUp()).toBe(true);
      return index.visibleRows(["t"]).holding("otter", false);
    });

    expect(counted).toBe(3334);
    expect(guessed).not.toBe(3334);
    expect(Math.abs((guessed ?? 0) - 3334)).toBeLessThan(500);
  });

  it("reads of a sample that it has only the rows that came, changed or moved, and counts as one that read it all", () => {
    const words = ["amber", "basalt", "cobalt", "dolomite", "emerald"];
    const textOf = (seed: number) => words.filter((_, at) => (seed * 7919) % (at + 2) === 0).join(" ");
    many(1, 5000, (id) => `${textOf(id)} row`);
    const asking = search();
    const reading = vi.spyOn(asking.connection, "all");
    const countsOf = ({ index }: WordSearch) => {
      expect(index.catchUp()).toBe(true);
      const visible = index.visibleRows(["t"]);
      return words.map((word) => visible.holding(word, false));
    };
    const rowsRead = () => reading.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    countsOf(asking);
    expect(rowsRead()).toBe(512);

    reading.mockClear();
    for (let step = 1; step <= 60; step++) {
      put(5000 + step, `${textOf(step)} row`);
      const id = step * 83;
      if (step % 3 === 0) put(id, `${textOf(id)} row`, { scope: "t.a" });
      else if (step % 3 === 1) put(id, `${words.join(" ")} row`);
      countsOf(asking);
    }
    // A new row is read once for the index and once for the sample, a changed one has a line in the list of changes too,
    // and one that leaves the sample lets another in.
    expect(rowsRead()).toBeLessThan(4 * 120);
    expect(countsOf(asking)).toEqual(countsOf(search()));
  });

  it("reads each sample once for a caller that sees more scopes than samples are kept of", () => {
    const scopes = Array.from({ length: 100 }, (_, nth) => `p${nth}`);
    many(
      1,
      5000,
      (id) => (id % 2 === 0 ? "otter row" : "marmot row"),
      (id) => `p${id % 97}`,
    );
    const asking = search();
    expect(asking.index.catchUp()).toBe(true);
    const reading = vi.spyOn(asking.connection, "all");
    const counts = () => {
      const visible = asking.index.visibleRows(scopes);
      return ["otter", "marmot", "row"].map((word) => visible.holding(word, false));
    };
    const [otters, marmots, all] = counts();
    expect(all).toBe(5000);
    expect(Math.abs((otters ?? 0) - 2500)).toBeLessThan(500);
    expect(Math.abs((marmots ?? 0) - 2500)).toBeLessThan(500);

    reading.mockClear();
    for (let question = 0; question < 3; question++) counts();
    expect(reading).not.toHaveBeenCalled();
  });

  it("asks for more than it ranks at first when that finds too little", () => {
    many(1, 400, (id) => (id <= 4 ? `otter${id % 2}` : "heron"));
    put(401, "marmot");
    const frugal = { ...search(), rankedRows: 1 };
    expect(found(frugal, "marmot otter0 otter1 heron", "", "t", 999)).toHaveLength(401);
    for (let id = 402; id <= 412; id++) put(id, "marmot");
    expect(found(frugal, "marmot otter0 otter1 heron", "", "t", 999)).toHaveLength(16);
  });

  it("ranks by frequent words, too, what it did not look for with them", () => {
    many(1, 400, (id) => (id % 2 === 0 ? "heron egret" : "ibis"));
    const rare = "marmot badger otter";
    for (let id = 401; id <= 420; id++) put(id, id === 417 ? `${rare} heron egret stork` : `${rare} stork stork stork`);
    const asked = `${rare} heron egret`;
    const frugal = { ...search(), rankedRows: 1 };
    expect(found(frugal, asked, "", "t", 999)).toHaveLength(20);
    expect([found(frugal, asked)[0], found(search(), asked)[0]]).toEqual([417, 417]);
    const { units } = readQuery(asked);
    const [some, all] = [frugal, search()].map((by) => matchWords(by, units, EVERYTHING, ["t"], 10));
    expect(some?.coverages[0]).toBeCloseTo(all?.coverages[0] ?? 0, 6);
    expect(some?.scores[0]).toBeCloseTo(all?.scores[0] ?? 0, 4);
    expect(some?.whole).toEqual(all?.whole);
  });

  it("follows what comes, changes, moves and goes away, without being asked to", () => {
    put(1, "copper kettle");
    put(2, "copper spoon");
    const asking = search();
    expect(found(asking, "copper")).toEqual([1, 2]);
    put(3, "copper wire");
    expect(found(asking, "copper")).toEqual([1, 2, 3]);
    put(1, "iron kettle");
    expect(found(asking, "copper")).toEqual([2, 3]);
    expect(found(asking, "iron")).toEqual([1]);
    put(2, "copper spoon", { scope: "t.a" });
    expect(found(asking, "copper")).toEqual([3]);
    put(2, "copper spoon");
    put(3, "copper wire", { scope: "p1" });
    expect([found(asking, "copper"), found(asking, "copper", "", "p1")]).toEqual([[2], [3]]);
    remove(2);
    expect(found(asking, "copper")).toEqual([]);
    put(1, "copper kettle");
    put(1, "copper copper kettle");
    expect(found(asking, "copper")).toEqual([1]);
  });

  it("answers as one that has just read everything, whatever was written in between", () => {
    const words = ["amber", "basalt", "cobalt", "dolomite", "emerald"];
    const textOf = (seed: number) =>
      Array.from({ length: 3 + (seed % 5) }, (_, at) => words[(seed * (at + 3)) % 5]).join(" ");
    many(1, 500, textOf);
    const asking = search();
    found(asking, words.join(" "));
    for (let step = 1; step <= 60; step++) {
      const id = 1 + ((step * 7919) % 500);
      if (step % 5 === 0) remove(id);
      else put(id, textOf(step + id), { scope: step % 7 === 0 ? "t.a" : "t" });
      put(500 + step, textOf(step));
      const fresh = search();
      for (const word of words) expect(found(asking, word, "", "t", 700)).toEqual(found(fresh, word, "", "t", 700));
    }
  });

  it("asked in a small part of a store, answers as one that looks through all of it", () => {
    const words = ["amber", "basalt", "cobalt", "dolomite", "emerald"];
    const textOf = (seed: number) =>
      Array.from({ length: 3 + (seed % 5) }, (_, at) => words[(seed * (at + 3)) % 5]).join(" ");
    const project = (id: number) => `p${(id * 31) % 10}`;
    const add = (from: number, to: number) =>
      file.transaction(() => {
        for (let id = from; id <= to; id++) put(id, textOf(id), { scope: project(id) });
      })();
    // Among so many scopes none by itself would be a small part.
    const nowhere = Array.from({ length: 20 }, (_, at) => `p${100 + at}`);
    const ask = (by: WordSearch, units: ReturnType<typeof readQuery>["units"], where: readonly string[]) =>
      matchWords(by, units, EVERYTHING, where as ["t"], 900);
    const asking = search();
    const check = () => {
      const fresh = search();
      for (const asked of [...words, "amber cobalt", "basalt dolomite emerald"]) {
        const { units } = readQuery(asked);
        const [kept, all] = [ask(asking, units, ["p1", "p2"]), ask(fresh, units, ["p1", "p2", ...nowhere])];
        const sorted = [...(kept?.ids ?? [])].sort((a, b) => a - b);
        expect(sorted.length).toBeGreaterThan(300);
        expect(new Set(sorted).size).toBe(sorted.length);
        expect([kept?.ids, kept?.whole]).toEqual([all?.ids, all?.whole]);
      }
    };
    add(1, 6000);
    check();
    for (const from of [6001, 7301]) {
      add(from, from + 1299); // So many together are folded in.
      check();
    }
    put(31, textOf(31), { scope: "p1.a" }); // Archived,
    put(11, textOf(11), { scope: "p2" }); // moved from one to the other of what is asked in,
    check();
    put(3, textOf(3), { scope: "p1" }); // into it,
    put(31, textOf(31), { scope: "p1" }); // and back again.
    check();
    put(41, `${textOf(41)} amber`, { scope: "p1" });
    remove(131);
    check();
    for (const from of [8601, 9901]) {
      add(from, from + 1299);
      check();
    }
  });

  it("answers as in a store without what is out of sight, however much of that is written, changed and taken away", async () => {
    await (await openSqliteEngine({ path: join(folder, "alone.db") })).close();
    const alone = new Database(join(folder, "alone.db"));
    alone.pragma("foreign_keys = OFF");
    const words =
      "amber basalt cobalt dolomite emerald feldspar garnet haematite ilmenite jasper kyanite limonite".split(" ");
    const frequent = "quartz granite schist".split(" ");
    const textOf = (seed: number) =>
      [
        ...frequent.filter((_, at) => (seed * 7) % (at + 4) !== 0),
        ...Array.from({ length: 2 + (seed % 9) }, (_, at) => words[(seed * (at + 3) + (seed >> 3)) % words.length]),
        `row${seed % 500}`,
      ].join(" ");
    const hiddenOf = (seed: number) =>
      seed % 3 === 0
        ? `amberr ammber basaltt ${"amber ".repeat(1 + (seed % 40))}`
        : `basalt garnet zeolite ${seed} quart`;
    const scopeOf = (id: number) => ["t", "p1", "p1", "m1p1"][id % 4] as string;
    const [asking, other] = [search(), search("alone.db")];
    const spaces = ["t", "p1", "m1p1"] as unknown as ["t"];
    const questions = [
      ...words,
      ...frequent,
      "row7 quartz",
      "ambre basatl",
      words.join(" "),
      [...words, ...frequent].join(" "),
    ];
    const answer = (by: WordSearch, query: string, where = EVERYTHING) =>
      matchWords(by, readQuery(query).units, where, spaces, 1000);
    const check = () => {
      for (const asked of [
        ...questions,
        `${questions.join(" ")} ${Array.from({ length: 40 }, (_, at) => `row${at}`).join(" ")}`,
      ])
        for (const where of [EVERYTHING, { ...EVERYTHING, withArchived: true }])
          expect([asked, answer(asking, asked, where)]).toEqual([asked, answer(other, asked, where)]);
      expect(answer(search(), words.join(" "))).toEqual(answer(other, words.join(" ")));
      expect(answer(asking, "ambre")?.ids.length).toBeGreaterThan(50);
    };
    let last = 0;
    const grow = (rows: number) => {
      const [from, to] = [last + 1, last + rows];
      last = to;
      const isSeen = (id: number) => id % 3 !== 0;
      for (const [into, isWritten] of [
        [file, () => true],
        [alone, isSeen],
      ] as const)
        into.transaction(() => {
          for (let id = from; id <= to; id++)
            if (isWritten(id))
              put(id, isSeen(id) ? textOf(id) : hiddenOf(id), { scope: isSeen(id) ? scopeOf(id) : "m2" }, into);
        })();
    };
    grow(900);
    check();
    grow(1500);
    check();
    grow(5700); // More than the newest, so that the others are read anew; and so many that a sample is taken.
    check();
    for (let step = 1; step <= 40; step++) {
      const id = 1 + ((step * 7919) % last);
      const isSeen = id % 3 !== 0;
      const text = isSeen ? textOf(id + step) : hiddenOf(id + step);
      const scope = `${isSeen ? scopeOf(id) : "m2"}${step % 5 === 0 ? ".a" : ""}`;
      for (const into of isSeen ? [file, alone] : [file])
        if (step % 11 === 0) remove(id, into);
        else put(id, text, { scope }, into);
      grow(step % 7);
      if (step % 8 === 0) check();
    }
    grow(1300);
    check();
    alone.close();
  });

  it("folds in what came since, however much that is", () => {
    many(1, 50, (id) => `quartz row ${id}`);
    const asking = search();
    expect(found(asking, "quartz", "", "t", 9999)).toHaveLength(50);
    for (const [from, to] of [
      [51, 1500],
      [1501, 3000],
      [3001, 3100],
      [3101, 6000],
    ] as const) {
      many(from, to, (id) => `quartz row ${id}`);
      expect(found(asking, "quartz", "", "t", 9999)).toHaveLength(to);
      expect(found(asking, `${to}`)).toEqual([to]);
    }
    many(1, 5000, (id) => `granite row ${id}`);
    expect(found(asking, "granite", "", "t", 9999)).toHaveLength(5000);
    expect(found(asking, "quartz", "", "t", 9999)).toHaveLength(1000);
  });

  it("keeps words and grams of the same letters apart", () => {
    put(1, "索引", { grams: "数 数据" });
    put(2, "数据", { grams: "索 索引" });
    expect([found(search(), "数据"), found(search(), "", "数据")]).toEqual([[2], [1]]);
  });
});

it("leaves nothing of a question that failed half way to the next one", () => {
  put(1, "heron nests here");
  put(2, "walrus swims here");
  for (let id = 3; id < 40; id++) put(id, `filler ${id}`);
  const by = search();
  const ways = (...texts: string[]) => [
    { alternatives: texts.map((text) => ({ terms: [{ text, isGram: false }], weight: 1 })), weight: 1 },
  ];
  const ask = (...texts: string[]) => [...(matchWords(by, ways(...texts), EVERYTHING, ["t"], 10)?.ids ?? [])];
  const recentOf = by.index.recentOf.bind(by.index);
  expect(ask("heron", "walrus")).toEqual([1, 2]);
  by.index.recentOf = (text, isGram) => {
    if (text === "filler") throw new Error("disk I/O error");
    return recentOf(text, isGram);
  };
  expect(() => ask("walrus", "filler")).toThrow("disk I/O error");
  by.index.recentOf = recentOf;
  expect(ask("heron", "nest")).toEqual([1]);
});
