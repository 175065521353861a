import { describe, expect, it } from "vitest";
import { measure } from "./measures.ts";
import { compare } from "./significance.ts";

describe("the measures", () => {
  it("are means over questions by the rank of the first right answer", () => {
    const { recall1, recall5, recall10, mrr, ndcg10 } = measure([
      { place: 1 },
      { place: 4 },
      { place: 10 },
      { place: 0 },
    ]);
    expect([recall1, recall5, recall10]).toEqual([0.25, 0.5, 0.75]);
    expect(mrr).toBeCloseTo((1 + 1 / 4 + 1 / 10) / 4);
    expect(ndcg10).toBeCloseTo((1 + 1 / Math.log2(5) + 1 / Math.log2(11)) / 4);
  });

  it("count traps only over questions that have some", () => {
    expect(measure([{ place: 1 }]).trapped).toBeUndefined();
    expect(measure([{ place: 1 }, { place: 2, isTrapped: true }, { place: 1, isTrapped: false }]).trapped).toBe(0.5);
  });
});

describe("a paired comparison", () => {
  it("finds 12 questions that all became better significant, and 2 not", () => {
    const before = Array.from({ length: 12 }, () => 0.5);
    const better = compare(
      before,
      before.map(() => 1),
    );
    expect(better).toMatchObject({ questions: 12, mean: 0.5, from: 0.5, to: 0.5 });
    expect(better.p).toBeLessThan(0.005);
    expect(
      compare(
        before,
        before.map((x, at) => (at < 2 ? 1 : x)),
      ).p,
    ).toBeGreaterThan(0.2);
  });

  it("finds no difference between a ranking and itself", () => {
    expect(compare([1, 0.5, 0], [1, 0.5, 0])).toMatchObject({ mean: 0, from: 0, to: 0, p: 1 });
  });
});
