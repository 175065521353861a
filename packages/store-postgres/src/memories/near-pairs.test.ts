import { type Comparable, nearPairs } from "@chest/core/statements";
import { expect, it } from "vitest";
import { ComparedRows, nearPairsOf } from "./near-pairs.ts";

const said = (id: number): Comparable => ({
  id,
  space: id % 3 === 0 ? "p1" : "p2",
  entity: Math.floor(id / 10),
  content: `the gateway of region ${Math.floor(id / 10)} listens on a port of its own${" indeed".repeat(id % 2)}`,
  tags: [`region-${Math.floor(id / 10)}`, "gateway"],
});

it("finds the same pairs among many in a thread as among few without one", async () => {
  const many = Array.from({ length: 1000 }, (_, nth) => said(nth + 1));
  const pairs = await nearPairsOf(many, 0.8);
  expect(pairs.length).toBeGreaterThan(100);
  expect(pairs).toEqual(nearPairs(many, 0.8));
  expect(await nearPairsOf(many.slice(0, 30), 0.8)).toEqual(nearPairs(many.slice(0, 30), 0.8));
});

it("leaves the event loop to others meanwhile", async () => {
  const many = Array.from({ length: 5000 }, (_, nth) => said(nth + 1));
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 1);
  await nearPairsOf(many, 0.8);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(3);
});

it("compares the same rows once, and rows that differ in anything again", async () => {
  const compared = new ComparedRows();
  const rows = Array.from({ length: 30 }, (_, nth) => said(nth + 1));
  const pairs = compared.pairsOf(rows, 0.8);
  expect(compared.pairsOf(rows.slice(), 0.8)).toBe(pairs);
  const [first, ...others] = rows as [Comparable, ...Comparable[]];
  expect(await compared.pairsOf([{ ...first, content: "something else" }, ...others], 0.8)).not.toEqual(await pairs);
  expect(compared.pairsOf(rows, 0.9)).not.toBe(pairs);
});
