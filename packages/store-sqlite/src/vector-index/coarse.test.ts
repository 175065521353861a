import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Filter, Space } from "@chest/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connection } from "../connection.ts";
import { matchVector } from "../search/vectors.ts";
import { VectorStore } from "../testing/vector-store.ts";
import { Arena, CELL } from "./arena.ts";
import { openCoarseFile } from "./coarse.ts";
import { VectorIndex } from "./vector-index.ts";

const WHERE: Omit<Filter, "reach"> = { withArchived: false, withSuperseded: false };
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

function anIndex(file: number | undefined, arena = Arena.create()) {
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

describe("vectors with a byte a number", () => {
  it("tell cosines to a thousandth or two, and the nearest in their order", () => {
    const file = openCoarseFile(join(folder, "chest.db")) as number;
    const { find, exact, nearest } = anIndex(file);
    for (let turn = 0; turn < 10; turn++) {
      const vector = store.near();
      const scores = new Map(exact(vector, MEMORIES).map(({ id, score }) => [id, score]));
      const { ids = [], cosines = [] } = nearest(vector) ?? {};
      expect(cosines).toHaveLength(500);
      for (const [at, id] of ids.entries())
        expect(Math.abs((scores.get(id) ?? 9) - (cosines[at] ?? 0))).toBeLessThan(OFF);
      const found = find(vector);
      expect(found).toHaveLength(200);
      // Of the first every digit is right.
      for (const { id, score } of found.slice(0, 25)) expect(score).toBe(scores.get(id));
      expect(found.slice(0, 10).map(({ id }) => id)).toEqual(exact(vector, 10).map(({ id }) => id));
    }
    closeSync(file);
  });

  it("follow what changes", () => {
    const file = openCoarseFile(join(folder, "chest.db")) as number;
    const { find, exact } = anIndex(file);
    const vector = store.near();
    find(vector);
    store.db.transaction(() => {
      for (let id = 1; id <= 300; id++) store.putVector(id, store.near());
      store.db.exec("UPDATE memories SET space = 'nobody' WHERE id % 5 = 0");
    })();
    store.add(100);
    const scores = new Map(exact(vector, MEMORIES).map(({ id, score }) => [id, score]));
    const found = find(vector);
    expect(found.every(({ id, score }) => Math.abs((scores.get(id) ?? 9) - score) < OFF)).toBe(true);
    expect(found.slice(0, 10).map(({ id }) => id)).toEqual(exact(vector, 10).map(({ id }) => id));
    closeSync(file);
  });

  it("leave nothing in the folder of the store, whatever ends the process", () => {
    const file = openCoarseFile(join(folder, "chest.db")) as number;
    expect(readdirSync(folder).filter((name) => name.endsWith(".vectors"))).toEqual([]);
    closeSync(file);
  });

  it.each<[string, () => number]>([
    ["cannot be written", () => openSync(join(folder, "readonly"), "r")],
    ["is full", () => openSync("/dev/full", "r+")],
    ["is cut off", () => openSync("/dev/null", "r+")],
  ])("are done without where their file %s", (_, open) => {
    writeFileSync(join(folder, "readonly"), "");
    const file = open();
    const { find, exact, cells } = anIndex(file);
    for (let turn = 0; turn < 2; turn++) {
      const vector = store.near();
      expect(find(vector, 10)).toEqual(exact(vector, 10));
    }
    expect(cells[CELL.withoutCoarse]).toBe(1);
    closeSync(file);
  });

  it("are done without where there can be no file", () => {
    expect(openCoarseFile(join(folder, "no-folder", "chest.db"))).toBeUndefined();
    const { find, exact } = anIndex(undefined);
    const vector = store.near();
    expect(find(vector, 10)).toEqual(exact(vector, 10));
  });
});
