import { expect, it } from "vitest";
import { PackedRows, UnpackedRows } from "./packed-rows.ts";

const unpackedOf = (rows: PackedRows) => {
  const room = new UnpackedRows();
  rows.unpack(room);
  return Array.from({ length: room.length }, (_, at) => [room.ids[at], room.impacts[at]]);
};

it("gives back what was put in, however far apart the rows lie and whatever they weigh", () => {
  const put: [number, number][] = [];
  const rows = new PackedRows();
  for (let id = 1, nth = 0; id < 4_000_000_000; nth++, id += 1 + Math.floor(10 ** ((nth * 1.7) % 8)))
    put.push([id, 1 + (nth % 255)]);
  put.push([4_294_967_295, 2]);
  for (const [id, impact] of put) rows.append(id, impact);
  expect(unpackedOf(rows)).toEqual(put);
  expect(unpackedOf(rows.moved())).toEqual(put);
});

it("takes the same from each edge of a length", () => {
  const put = [1, 64, 127, 128, 8192, 16_384, 1_048_576, 134_217_728, 2_147_483_648].map(
    (gap) => [gap, 2] as [number, number],
  );
  for (const [gap] of put) {
    const rows = new PackedRows();
    rows.append(gap, 2);
    rows.append(gap + 63, 3);
    expect(unpackedOf(rows)).toEqual([
      [gap, 2],
      [gap + 63, 3],
    ]);
  }
});

it("takes a byte for each row of a frequent word", () => {
  const rows = new PackedRows();
  for (let id = 10; id <= 1_000_000; id += 10) rows.append(id, 2);
  expect(rows.moved().size).toBe(100_000);
});

it("goes on after it was moved, and begins anew where it was", () => {
  const draft = new PackedRows();
  draft.append(5, 2);
  const rows = draft.moved();
  draft.append(3, 4);
  rows.append(9, 7);
  expect([unpackedOf(rows), unpackedOf(draft)]).toEqual([
    [
      [5, 2],
      [9, 7],
    ],
    [[3, 4]],
  ]);
});

it("is used again for fewer rows", () => {
  const [many, few] = [new PackedRows(), new PackedRows()];
  for (let id = 1; id <= 100; id++) many.append(id, 4);
  few.append(7, 2);
  const room = new UnpackedRows();
  many.unpack(room);
  few.unpack(room);
  expect([room.length, room.ids[0], room.impacts[0]]).toEqual([1, 7, 2]);
});

it("tells which of some rows are in it", () => {
  const rows = new PackedRows();
  for (let id = 3; id <= 90_000; id += 3) rows.append(id, id % 5 === 0 ? 9 : 2);
  const room = new UnpackedRows();
  expect([...rows.among([1, 3, 4, 15, 300, 301, 89_999, 90_000, 90_003], room)]).toEqual([3, 15, 300, 90_000]);
  expect([...rows.among([], room)]).toEqual([]);
  expect([...new PackedRows().among([1, 2], room)]).toEqual([]);
});
