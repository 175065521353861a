import { closeSync, fstatSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Space } from "@chest/core/access";
import type { DatedFilter } from "@chest/store/database/condition";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { VectorStore } from "../testing/vector-store.ts";
import { Arena, CELL, offsetOf } from "./arena.ts";
import { type CoarseFile, CoarseVectors, openCoarseFile } from "./coarse.ts";
import { openKernel } from "./kernel/kernel.ts";
import { Tables } from "./tables.ts";
import { VectorIndex } from "./vector-index.ts";
import { matchVector } from "./vector-search.ts";

const WHERE: DatedFilter = { withArchived: false, withSuperseded: false, nowS: 0 };
const SPACES: readonly Space[] = ["team", "p1", "p2", "p3", "p4", "p5"];
const MEMORIES = 2000;
/** The fewer numbers a vector has, the coarser each is. */
const OFF = 2e-3;

const folder = mkdtempSync(join(tmpdir(), "chest-coarse-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let store: VectorStore;
let connection: Connection;
beforeAll(async () => {
  const path = join(folder, "chest.db");
  store = await VectorStore.create(path, 200); // Fills no whole unit of the scan.
  store.add(MEMORIES);
  connection = new Connection(path, { readonly: true });
});
afterAll(() => {
  connection.close();
  store.db.close();
});

/** More than memory is taken for: all goes into the file. */
const FULL_UNITS = 2 ** 30;

function anIndex(file: CoarseFile | undefined, arena = Arena.create(), units = FULL_UNITS) {
  arena.cells()[CELL.coarseUnits] = units;
  const index = new VectorIndex(connection, { memory: arena.shared, thread: 0, file });
  const ask = (using: VectorIndex | undefined, vector: Float32Array, limit: number) =>
    matchVector({ connection, index: using }, vector, store.identity, WHERE, SPACES, limit) ?? [];
  return {
    cells: arena.cells(),
    nearest: (vector: Float32Array) => {
      const selection = { spaces: SPACES, where: WHERE, entityIds: undefined, memoryIds: undefined };
      return index.nearest(1, vector, selection, () => 500);
    },
    find: (vector: Float32Array, limit = 200) => ask(index, vector, limit),
    exact: (vector: Float32Array, limit = 200) => ask(undefined, vector, limit),
  };
}

describe.each([
  ["in a file", () => anIndex(openCoarseFile(join(folder, "chest.db")))],
  ["in memory", () => anIndex(undefined, Arena.create(), 0)],
  ["in memory, in plain JavaScript", () => anIndex(undefined, Arena.create(true), 0)],
])("vectors with a byte a number, %s", (_, open) => {
  it("tell cosines to a thousandth or two, and the nearest in their order", () => {
    const { find, exact, nearest } = open();
    for (let turn = 0; turn < 10; turn++) {
      const vector = store.near();
      const scores = new Map(exact(vector, MEMORIES).map(({ id, score }) => [id, score]));
      const { ids = [], cosines = [] } = nearest(vector) ?? {};
      expect(cosines).toHaveLength(500);
      for (const [at, id] of ids.entries())
        expect(Math.abs((scores.get(id) ?? 9) - (cosines[at] ?? 0))).toBeLessThan(OFF);
      const found = find(vector);
      expect(found).toHaveLength(200);
      // The first have every digit right.
      for (const { id, score } of found.slice(0, 12)) expect(score).toBe(scores.get(id));
      expect(found.slice(0, 10).map(({ id }) => id)).toEqual(exact(vector, 10).map(({ id }) => id));
    }
  });

  it("follow what changes", () => {
    const { find, exact } = open();
    const vector = store.near();
    find(vector);
    store.db.transaction(() => {
      for (let id = 1; id <= 300; id++) store.putVector(id, store.near());
      store.db.exec("UPDATE memories SET space = 'm99' WHERE id % 5 = 0");
    })();
    store.add(100);
    const scores = new Map(exact(vector, MEMORIES).map(({ id, score }) => [id, score]));
    const found = find(vector);
    expect(found.every(({ id, score }) => Math.abs((scores.get(id) ?? 9) - score) < OFF)).toBe(true);
    expect(found.slice(0, 10).map(({ id }) => id)).toEqual(exact(vector, 10).map(({ id }) => id));
  });
});

describe("vectors with a byte a number", () => {
  it("stay out of memory where they are more than it is given", () => {
    const file = openCoarseFile(join(folder, "chest.db")) as CoarseFile;
    const arena = Arena.create();
    const { cells, nearest } = anIndex(file, arena, 0);
    const coarse = new CoarseVectors(arena, 1, openKernel(arena).dot, file);
    coarse.expect(131_072, 1024);
    expect(cells[CELL.coarseUnits]).toBe(0);
    coarse.expect(131_073, 1024);
    expect(coarse.allocate(200)).toBe(0);
    nearest(store.near());
    expect(fstatSync(file.descriptor).size).toBeGreaterThan(MEMORIES * 200);
    closeSync(file.descriptor);
  });

  it.each([0, 1])("leave nothing of a purged memory in memory, be they asked or given up: %i", (givenUp) => {
    const arena = Arena.create();
    const { cells, find } = anIndex(undefined, arena, 0);
    find(store.near());
    const [{ segment } = { segment: undefined }] = new Tables(arena).all()[0]?.segments() ?? [];
    const row = () => new Int8Array(arena.bytes(), offsetOf(segment?.coarse[0] ?? 0), 200);
    expect(row().some((number) => number !== 0)).toBe(true);
    cells[CELL.withoutCoarse] = givenUp;
    store.db.exec(`DELETE FROM memories WHERE id = ${segment?.ids[0]}`);
    find(store.near());
    expect([...row()]).toEqual(Array(200).fill(0));
  });

  it("leave nothing in the folder of the store, whatever ends the process", () => {
    const file = openCoarseFile(join(folder, "chest.db")) as CoarseFile;
    expect(readdirSync(folder).filter((name) => name.endsWith(".vectors"))).toEqual([]);
    closeSync(file.descriptor);
  });

  it.each<[string, () => CoarseFile]>([
    ["cannot be written", () => ({ descriptor: openSync(join(folder, "readonly"), "r"), folder })],
    ["is full", () => ({ descriptor: openSync("/dev/full", "r+"), folder })],
    ["is cut off", () => ({ descriptor: openSync("/dev/null", "r+"), folder })],
    [
      "lies on a disk that is nearly full",
      () => ({ descriptor: openSync(join(folder, "own"), "w+"), folder: "/proc" }),
    ],
  ])("are done without where their file %s", (_, open) => {
    writeFileSync(join(folder, "readonly"), "");
    const file = open();
    const { find, exact, cells } = anIndex(file);
    for (let turn = 0; turn < 2; turn++) {
      const vector = store.near();
      expect(find(vector, 10)).toEqual(exact(vector, 10));
    }
    expect(cells[CELL.withoutCoarse]).toBe(1);
    expect(fstatSync(file.descriptor).size).toBe(0);
    closeSync(file.descriptor);
  });

  it("are done without where there can be no file, and they are too many for memory", () => {
    expect(openCoarseFile(join(folder, "no-folder", "chest.db"))).toBeUndefined();
    const { find, exact } = anIndex(undefined);
    const vector = store.near();
    expect(find(vector, 10)).toEqual(exact(vector, 10));
  });
});
