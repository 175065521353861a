import { expect, it } from "vitest";
import { chooseTerms } from "./terms.ts";
import type { WordIndex } from "./word-index.ts";

const MILLION = 1_000_000;

/** What is asked for in a store where each term stands in so many rows. */
function chosen(counts: Readonly<Record<string, number>>, rows = MILLION): string[] {
  const index = { rows: { upTo: rows }, count: (text: string) => counts[text] ?? 0 } as unknown as WordIndex;
  const units = Object.keys(counts).map((text) => ({
    ...{ alternatives: [{ terms: [{ text, isGram: false }], weight: 1 }], weight: 1 },
  }));
  return chooseTerms(index, units).asked.flatMap(({ ways }) =>
    ways.flatMap(({ terms }) => terms.map(({ text }) => text)),
  );
}

it("takes the rarest first, and leaves out what nobody and what nearly everybody wrote", () => {
  expect(chosen({ common: 190, rare: 2, nobody: 0, everybody: 400 }, 1000)).toEqual(["rare", "common"]);
  expect(chosen({ everybody: 900, most: 500 }, 1000)).toEqual(["most", "everybody"]);
});

it("leaves frequent terms out of a large store's question where rarer ones are there", () => {
  const rarer = { one: 5, two: 900, three: 40_000 };
  expect(chosen({ ...rarer, four: 90_000, five: 180_000 })).toEqual(["one", "two", "three", "four"]);
  expect(chosen({ four: 90_000, five: 180_000, six: 190_000 })).toEqual(["four", "five", "six"]);
});

it("leaves none out of a store of a hundred thousand for that", () => {
  const counts = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`t${at}`, 20_000 - at]));
  expect(chosen(counts, 100_000)).toHaveLength(7);
});
