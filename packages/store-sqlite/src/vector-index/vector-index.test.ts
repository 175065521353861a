import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Space } from "@chest/core/access";
import type { DatedFilter } from "@chest/store/database/condition";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { VectorStore } from "../testing/vector-store.ts";
import { Arena, CELL } from "./arena.ts";
import { STATE, VectorIndex } from "./vector-index.ts";
import { matchVector } from "./vector-search.ts";

type Where = DatedFilter;

const LIVE: Where = { withArchived: false, withSuperseded: false, nowS: 0 };
const ALL: Where = { withArchived: true, withSuperseded: true, nowS: 0 };
const SPACES: readonly Space[] = ["team", "p1", "p2", "p3", "p4", "p5"];
const EVERY = 100_000;

const folder = mkdtempSync(join(tmpdir(), "chest-vectors-"));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Opened {
  readonly store: VectorStore;
  readonly connection: Connection;
  readonly index: VectorIndex;
  find(where?: Where, spaces?: readonly Space[], limit?: number, vector?: Float32Array): number[] | undefined;
  /** The same asked of the rows, one by one. */
  exact(where?: Where, spaces?: readonly Space[], limit?: number, vector?: Float32Array): number[] | undefined;
}

async function open(memories: number, arena = Arena.create()): Promise<Opened> {
  count += 1;
  const path = join(folder, `${count}.db`);
  const store = await VectorStore.create(path, 256);
  store.add(memories);
  const connection = new Connection(path, { readonly: true });
  const index = new VectorIndex(connection, { memory: arena.shared, thread: 0 });
  // By bits and rows alone, which compare exactly: the accuracy of coarse vectors has a test beside it.
  arena.cells()[CELL.withoutCoarse] = 1;
  const asking =
    (using: VectorIndex | undefined): Opened["find"] =>
    (where = LIVE, spaces = SPACES, limit = EVERY, vector = store.near()) =>
      matchVector({ connection, index: using }, vector, store.identity, where, spaces, limit)?.map(({ id }) => id);
  return { store, connection, index, find: asking(index), exact: asking(undefined) };
}

const close = ({ store, connection }: Opened) => {
  connection.close();
  store.db.close();
};

describe.each([
  ["in WebAssembly", false],
  ["in plain JavaScript", true],
])("the vector index %s", (_, isPlain) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(3000, Arena.create(isPlain));
    const { db } = opened.store;
    db.exec("UPDATE memories SET archived_at = 1 WHERE id % 10 = 0");
    db.exec("UPDATE memories SET created_at = id % 4, importance = iif(id % 7 = 0, 0.9, 0.1)");
    db.exec("UPDATE memories SET superseded_by_id = 1 WHERE id % 20 = 0");
  });
  afterAll(() => close(opened));

  it.each<[string, Where, readonly Space[]]>([
    ["everything", ALL, SPACES],
    ["what is live", LIVE, SPACES],
    ["with what is archived", { ...LIVE, withArchived: true }, SPACES],
    ["with what is superseded", { ...LIVE, withSuperseded: true }, SPACES],
    ["one space", LIVE, ["p2"]],
    ["no space", LIVE, []],
    ["a space that nothing lies in", LIVE, ["m7p3"]],
    ["two layers", { ...LIVE, layers: ["goal", "realize"] }, SPACES],
    ["no layer", { ...LIVE, layers: [] }, SPACES],
    ["an entity's name", { ...LIVE, entityName: "P" }, SPACES],
    ["entities by id", { ...LIVE, entityIds: [2, 4] }, SPACES],
    ["about one project", { ...LIVE, aboutProject: "Apple" }, SPACES],
    ["two tags", { ...LIVE, tags: ["red", "blue"] }, SPACES],
    ["dates", { ...LIVE, since: new Date(1000), until: new Date(2000) }, SPACES],
    ["importance", { ...LIVE, minImportance: 0.9 }, SPACES],
    ["all at once", { ...ALL, layers: ["goal"], entityName: "pear", tags: ["green"] }, ["team", "p1"]],
  ])("finds the same as a look at every row: %s", (_, where, spaces) => {
    const vector = opened.store.near();
    expect(opened.find(where, spaces, EVERY, vector)).toEqual(opened.exact(where, spaces, EVERY, vector));
  });

  it("finds the ten nearest of many by their bits, but for one in a hundred", () => {
    let found = 0;
    for (let turn = 0; turn < 40; turn++) {
      const vector = opened.store.near();
      const nearest = new Set(opened.exact(LIVE, SPACES, 10, vector));
      found += opened.find(LIVE, SPACES, 10, vector)?.filter((id) => nearest.has(id)).length ?? 0;
    }
    expect(found).toBeGreaterThanOrEqual(0.99 * 400);
  });

  it("compares at least as many as are asked for, where bits are alike", () => {
    const same = Float32Array.from({ length: opened.store.identity.dimensions }, (_, i) => (i % 2 === 0 ? 0.1 : -0.1));
    opened.store.db.transaction(() => {
      for (let id = 1; id <= 400; id++) opened.store.putVector(id, same);
    })();
    expect(opened.find(ALL, SPACES, 300, same)).toHaveLength(300);
  });
});

describe("the vector index follows the table", () => {
  const CHANGES: readonly [string, (store: VectorStore, id: number) => void][] = [
    ["a memory comes", (store) => store.add(1)],
    ["a vector is replaced", (store, id) => store.putVector(id, store.near())],
    ["a vector goes", ({ db }, id) => db.prepare("DELETE FROM vectors WHERE memory_id = ?").run(id)],
    ["a memory is deleted", ({ db }, id) => db.prepare("DELETE FROM memories WHERE id = ?").run(id)],
    ["a memory is archived", ({ db }, id) => db.prepare("UPDATE memories SET archived_at = 1 WHERE id = ?").run(id)],
    [
      "a memory is superseded",
      ({ db }, id) =>
        db.prepare("UPDATE memories SET archived_at = 1, superseded_by_id = 1 WHERE id = ? AND id > 1").run(id),
    ],
    [
      "a memory comes back",
      ({ db }, id) =>
        db.prepare("UPDATE memories SET archived_at = NULL, superseded_by_id = NULL WHERE id = ?").run(id),
    ],
    ["a memory moves", ({ db }, id) => db.prepare("UPDATE memories SET space = 'p2' WHERE id = ?").run(id)],
    ["a layer changes", ({ db }, id) => db.prepare("UPDATE memories SET layer = 'goal' WHERE id = ?").run(id)],
    ["an entity changes", ({ db }, id) => db.prepare("UPDATE memories SET entity_id = 2 WHERE id = ?").run(id)],
    [
      "words change",
      ({ db }, id) => db.prepare("UPDATE memories SET content_hash = 'other' || id WHERE id = ?").run(id),
    ],
  ];

  it("whatever changes, in any order, by whomever", { timeout: 30_000 }, async () => {
    const opened = await open(300);
    const { store, find, exact } = opened;
    const looks: readonly [Where, readonly Space[]][] = [
      [ALL, SPACES],
      [LIVE, ["p2", "p4"]],
      [{ ...LIVE, layers: ["goal"], withSuperseded: true }, SPACES],
      [{ ...LIVE, entityIds: [2] }, SPACES],
    ];
    for (let turn = 0; turn < 150; turn++) {
      const changed: string[] = [];
      for (let i = store.pick(6); i >= 0; i--) {
        const [name, change] = CHANGES[store.pick(CHANGES.length)] as (typeof CHANGES)[number];
        const id = store.anyId();
        change(store, id === 1 ? 2 : id);
        changed.push(name);
      }
      const vector = store.near();
      for (const [where, spaces] of looks) {
        expect(find(where, spaces, EVERY, vector), changed.join(", ")).toEqual(exact(where, spaces, EVERY, vector));
      }
    }
    close(opened);
  });

  it("by each kind of change alone", async () => {
    const opened = await open(50);
    const { store, find, exact } = opened;
    find();
    for (const [name, change] of CHANGES) {
      for (const id of [5, 6]) change(store, id);
      const vector = store.near();
      for (const where of [ALL, LIVE, { ...LIVE, layers: ["goal"] as const }, { ...LIVE, entityIds: [2] }])
        expect(find(where, ["p2", "team"], EVERY, vector), name).toEqual(exact(where, ["p2", "team"], EVERY, vector));
    }
    close(opened);
  });

  it("and uses the room of what is gone for what comes", { timeout: 30_000 }, async () => {
    const arena = Arena.create();
    const opened = await open(3000, arena);
    opened.find();
    const before = arena.bytes().byteLength;
    for (let turn = 0; turn < 14; turn++) {
      const gone = opened.store.db.prepare("SELECT memory_id FROM vectors ORDER BY random() LIMIT 1500").pluck().all();
      opened.store.db
        .prepare("DELETE FROM vectors WHERE memory_id IN (SELECT value FROM json_each(?))")
        .run(JSON.stringify(gone));
      expect(opened.find()).toHaveLength(1500);
      opened.store.db.transaction(() => {
        for (const id of gone) opened.store.putVector(Number(id), opened.store.near());
      })();
      expect(opened.find()).toHaveLength(3000);
    }
    expect(arena.bytes().byteLength).toBe(before);
    close(opened);
  });

  it("past what a question may wait for only in a thread of its own, and then to the end", {
    timeout: 30_000,
  }, async () => {
    const opened = await open(20);
    const { store, find, exact, index } = opened;
    expect(find()).toHaveLength(20);
    store.add(4100);
    const vector = store.near();
    // Not in the index yet, and compared one by one where they are few enough.
    expect(find(LIVE, ["p1"], EVERY, vector)).toEqual(exact(LIVE, ["p1"], EVERY, vector));
    expect(
      index.nearest(1, vector, { spaces: SPACES, where: LIVE, entityIds: undefined, memoryIds: undefined }, () => 5),
    ).toBeUndefined();
    index.load();
    expect(find(ALL, SPACES, EVERY, vector)).toEqual(exact(ALL, SPACES, EVERY, vector));
    expect(
      index.nearest(1, vector, { spaces: SPACES, where: LIVE, entityIds: undefined, memoryIds: undefined }, () => 5)
        ?.ids,
    ).toHaveLength(5);
    close(opened);
  });

  it("from the beginning where the changes it missed are forgotten", async () => {
    const opened = await open(200);
    const { store, find, exact, index } = opened;
    find();
    store.db.exec("DELETE FROM memories WHERE id % 3 = 0; DELETE FROM vector_changes");
    store.db.exec("INSERT INTO vector_changes (seq, memory_id) VALUES (5000000, 1)");
    const vector = store.near();
    expect(find(LIVE, SPACES, EVERY, vector)).toEqual(exact(LIVE, SPACES, EVERY, vector));
    index.load();
    expect(find(LIVE, SPACES, EVERY, vector)).toEqual(exact(LIVE, SPACES, EVERY, vector));
    close(opened);
  });

  it("and keeps the changes of a hundred thousand, not more", async () => {
    const opened = await open(10);
    const { db } = opened.store;
    db.exec("INSERT INTO vector_changes (seq, memory_id) VALUES (2000000, 1)");
    expect(db.prepare("SELECT count(*), min(seq) FROM vector_changes").raw().get()).toEqual([1, 2_000_000]);
    close(opened);
  });
});

describe("a machine without memory for the index", () => {
  it("compares one by one what is little, and fails at nothing", async () => {
    const shared = new SharedArrayBuffer(196_608, { maxByteLength: 262_144 });
    new Int32Array(shared)[CELL.top] = 196_608 / 64;
    const opened = await open(100, new Arena(shared));
    const { store, find, exact } = opened;
    for (let turn = 0; turn < 2; turn++) {
      const vector = store.near();
      expect(find(LIVE, SPACES, 10, vector)).toEqual(exact(LIVE, SPACES, 10, vector));
      store.add(1);
    }
    expect(new Int32Array(shared)[CELL.state]).toBe(STATE.full);
    close(opened);
  });
});

describe("what is damaged", () => {
  it("is no match of anything, and disturbs nothing else", async () => {
    const opened = await open(30);
    const { store, find } = opened;
    const { db } = store;
    const broken = store.near().fill(Number.NaN);
    db.prepare("UPDATE vectors SET vector = ? WHERE memory_id = 3").run(Buffer.from(broken.buffer));
    db.prepare("UPDATE vectors SET vector = x'00112233' WHERE memory_id = 4").run();
    db.prepare("UPDATE vectors SET vector = x'' WHERE memory_id = 5").run();
    const found = find(ALL);
    expect(found).toHaveLength(27);
    for (const id of [3, 4, 5]) expect(found).not.toContain(id);
    store.putVector(4, store.near());
    expect(find(ALL)).toContain(4);
    close(opened);
  });
});
