import { UnpackedRows } from "@chest/core/recall";
import { expect, it } from "vitest";
import { PackedRows } from "./packed-rows.ts";
import { PAGE_BYTES, PagePool } from "./page-pool.ts";

const unpackedOf = (rows: PackedRows) => {
  const room = new UnpackedRows();
  rows.unpack(room);
  return Array.from({ length: room.length }, (_, at) => [room.ids[at], room.impacts[at]]);
};

it("gives back what was put in, however far apart the rows lie and whatever they weigh", () => {
  const put: [number, number][] = [];
  const rows = new PackedRows(new PagePool());
  for (let id = 1, nth = 0; id < 4_000_000_000; nth++, id += 1 + Math.floor(10 ** ((nth * 1.7) % 8)))
    put.push([id, 1 + (nth % 255)]);
  put.push([4_294_967_295, 2]);
  for (const [id, impact] of put) rows.append(id, impact);
  expect(unpackedOf(rows)).toEqual(put);
});

it("takes the same from each edge of a length", () => {
  const put = [1, 64, 127, 128, 8192, 16_384, 1_048_576, 134_217_728, 2_147_483_648].map(
    (gap) => [gap, 2] as [number, number],
  );
  for (const [gap] of put) {
    const rows = new PackedRows(new PagePool());
    rows.append(gap, 2);
    rows.append(gap + 63, 3);
    expect(unpackedOf(rows)).toEqual([
      [gap, 2],
      [gap + 63, 3],
    ]);
  }
});

it("takes a byte for each row of a frequent word", () => {
  const rows = new PackedRows(new PagePool());
  for (let id = 10; id <= 1_000_000; id += 10) rows.append(id, 2);
  expect(rows.size).toBeGreaterThanOrEqual(100_000);
  expect(rows.size).toBeLessThan(102_000);
});

const rowsUpTo = (pool: PagePool, to: number, step: number, impact: number) => {
  const rows = new PackedRows(pool);
  for (let id = step; id <= to; id += step) rows.append(id, impact);
  return rows;
};

it("lies between others of its pool, and stays as it was when they are gone and others come", () => {
  const pool = new PagePool();
  const lists = Array.from({ length: 40 }, () => new PackedRows(pool));
  for (let id = 1; id <= 60_000; id++) lists[id % 40]?.append(id, 1 + (id % 200));
  const expected = lists.map(unpackedOf);
  const size = pool.size;
  for (const [nth, rows] of lists.entries()) if (nth % 2 === 1) rows.clear();
  const others = Array.from({ length: 10 }, (_, nth) => rowsUpTo(pool, 2000, 1, nth + 3));
  expect(lists.map(unpackedOf)).toEqual(expected.map((rows, nth) => (nth % 2 === 1 ? [] : rows)));
  for (const [nth, rows] of others.entries()) {
    expect(unpackedOf(rows)).toEqual(Array.from({ length: 2000 }, (_, at) => [at + 1, nth + 3]));
  }
  expect(pool.size).toBe(size);
});

it("takes no more room than the most that was in use at once", () => {
  const pool = new PagePool();
  for (let round = 0; round < 50; round++) rowsUpTo(pool, 100_000, 1, 2).clear();
  expect(pool.size).toBeLessThan(1024 * PAGE_BYTES * 3);
});

it("begins anew once it was cleared", () => {
  const rows = rowsUpTo(new PagePool(), 5000, 5, 4);
  rows.clear();
  expect([rows.length, rows.size, unpackedOf(rows)]).toEqual([0, 0, []]);
  rows.append(3, 4);
  expect(unpackedOf(rows)).toEqual([[3, 4]]);
});

it("is used again for fewer rows", () => {
  const [many, few] = [new PackedRows(new PagePool()), new PackedRows(new PagePool())];
  for (let id = 1; id <= 100; id++) many.append(id, 4);
  few.append(7, 2);
  const room = new UnpackedRows();
  many.unpack(room);
  few.unpack(room);
  expect([room.length, room.ids[0], room.impacts[0]]).toEqual([1, 7, 2]);
});

it("tells which of some rows are in it", () => {
  const rows = new PackedRows(new PagePool());
  for (let id = 3; id <= 90_000; id += 3) rows.append(id, id % 5 === 0 ? 9 : 2);
  expect([...rows.among([1, 3, 4, 15, 300, 301, 89_999, 90_000, 90_003])]).toEqual([3, 15, 300, 90_000]);
  expect([...rows.among([])]).toEqual([]);
  expect([...new PackedRows(new PagePool()).among([1, 2])]).toEqual([]);
});
