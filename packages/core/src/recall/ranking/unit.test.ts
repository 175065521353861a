import { describe, expect, it } from "vitest";
import { withMeant } from "./unit.ts";

const KAFAK = { alternatives: [{ terms: [{ text: "kafak", isGram: false }], weight: 1 }], weight: 1 };

describe("what may have been meant by a mistyped word", () => {
  it("is said with other words that count less, beside the word itself", () => {
    const { alternatives } = withMeant(KAFAK, (typed) => (typed === "kafak" ? ["kafka"] : []));
    expect(alternatives).toEqual([
      ...KAFAK.alternatives,
      { terms: [{ text: "kafka", isGram: false }], weight: expect.any(Number) },
    ]);
    expect(alternatives[1]?.weight).toBeLessThan(1);
  });

  it("is the same few of very many, in whatever order they are found", () => {
    const spellings = Array.from({ length: 3000 }, (_, nth) => `kaf${nth}ak`);
    const meant = withMeant(KAFAK, () => spellings);
    expect(meant.alternatives).toHaveLength(65);
    expect(withMeant(KAFAK, () => spellings.toReversed())).toEqual(meant);
  });
});
