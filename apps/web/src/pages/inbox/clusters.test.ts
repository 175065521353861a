import { expect, it } from "vitest";
import { clustersOf } from "./clusters.ts";

const pair = (newer: number, older: number, likeness: number) => ({
  ...{ newer: { id: newer }, older: { id: older } },
  ...{ likeness, by: "words" },
});

it("puts pairs that meet into one group, also where a later pair joins two of them", () => {
  const groups = clustersOf([pair(9, 7, 1), pair(4, 3, 0.9), pair(2, 1, 0.8), pair(7, 3, 0.75)]);

  expect(groups.map(({ rows, likeness }) => [rows.map(({ id }) => id), likeness])).toEqual([
    [[9, 7, 4, 3], 0.75],
    [[2, 1], 0.8],
  ]);
});
