import { expect, it } from "vitest";
import { boundOf } from "./ranked-index.ts";
import { choicesOf } from "./terms.ts";

const MILLION = 1_000_000;

/** Counts of visible rows: all of them, and those that contain each term. */
const visibleCounts = (counts: Readonly<Record<string, number>>, rows = MILLION) => ({
  rows,
  bound: boundOf(rows),
  holding: (text: string) => counts[text] ?? 0,
  near: () => [],
  akin: () => [],
});

/** Terms chosen first, next, and last. */
function choices(counts: Readonly<Record<string, number>>, rows?: number): string[][] {
  const units = Object.keys(counts).map((text) => ({
    alternatives: [{ terms: [{ text, isGram: false }], weight: 1 }],
    weight: 1,
  }));
  return [...choicesOf(units, visibleCounts(counts, rows))].map(({ units }) =>
    units.flatMap(({ ways }) => ways.flatMap(({ terms }) => terms.map(({ text }) => text))),
  );
}

it("takes the rarest first, and leaves out what nobody and what nearly everybody wrote", () => {
  expect(choices({ common: 190, rare: 2, nobody: 0, everybody: 400 }, 1000)[0]).toEqual(["rare", "common"]);
  expect(choices({ everybody: 900, most: 500 }, 1000)).toEqual([["most", "everybody"]]);
  expect(choices({ nobody: 0 }, 1000)).toEqual([]);
});

it("leaves frequent terms out of a large store's question where rarer ones are there", () => {
  const rarer = { one: 5, two: 900, three: 40_000 };
  expect(choices({ ...rarer, four: 90_000, five: 180_000 })[0]).toEqual(["one", "two", "three", "four"]);
  expect(choices({ four: 90_000, five: 180_000, six: 190_000 })[0]).toEqual(["four", "five", "six"]);
});

it("has them ready for when the rarer ones find too little, and what nearly everybody wrote after that", () => {
  const rarer = { one: 5, two: 900, three: 40_000 };
  expect(choices({ ...rarer, four: 180_000, most: 300_000 })).toEqual([
    ["one", "two", "three"],
    ["one", "two", "three", "four"],
    ["one", "two", "three", "four", "most"],
  ]);
  expect(choices({ rare: 2, everybody: 400 }, 1000)).toEqual([["rare"], ["rare", "everybody"]]);
});

it("leaves none out of a store of a hundred thousand for that", () => {
  const counts = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`t${at}`, 20_000 - at]));
  expect(choices(counts, 100_000)).toHaveLength(1);
  expect(choices(counts, 100_000)[0]).toHaveLength(7);
});

it("counts a frequent synonym beside, and looks for rows with the words that were typed", () => {
  const counts: Readonly<Record<string, number>> = {
    one: 9,
    two: 800,
    three: 30_000,
    four: 60_000,
    image: 140_000,
    画像: 7,
  };
  const way = (text: string, weight = 1) => ({ terms: [{ text, isGram: false }], weight });
  const unit = (text: string, ...others: string[]) => ({
    alternatives: [way(text), ...others.map((other) => way(other, 0.8))],
    weight: 1,
  });
  const units = [unit("one", "image", "画像"), unit("two"), unit("three"), unit("four")];
  const [first, second] = [...choicesOf(units, visibleCounts(counts))];
  const said = (ways: readonly { readonly terms: readonly { readonly text: string }[] }[] = []) =>
    ways.flatMap(({ terms }) => terms.map(({ text }) => text));
  expect(first?.units.map(({ ways, isPart }) => [said(ways), isPart])).toEqual([
    [["one", "画像"], true],
    [["two"], undefined],
    [["three"], undefined],
    [["four"], undefined],
  ]);
  expect(first?.beside.map(({ ways, looked }) => [said(ways), said(looked)])).toEqual([[["image"], ["one", "画像"]]]);
  expect(second?.beside).toEqual([]);
  expect(first?.wholeWeight).toBeCloseTo(second?.wholeWeight ?? 0);
});
