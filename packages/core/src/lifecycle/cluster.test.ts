import { describe, expect, it } from "vitest";
import { clustersOf, jaccard, wordPrints } from "./cluster.ts";

describe("the words of a memory as numbers", () => {
  it("share what two texts share, in any order and however often it is said", () => {
    const [a, b] = [wordPrints("deploys go through the blue cluster"), wordPrints("cluster blue blue the green")];
    expect(jaccard(a, b)).toBeCloseTo(3 / 7);
    expect(jaccard(a, a)).toBe(1);
    expect(jaccard(wordPrints("stern"), wordPrints("kranich"))).toBe(0);
  });

  it("are as many as there are different words, in every script, and none of nothing", () => {
    expect(wordPrints(" 배포는  배포 배포는 會議 é e \u{1f600} ")).toHaveLength(6);
    expect(wordPrints("")).toHaveLength(0);
    expect(jaccard(wordPrints(""), wordPrints(""))).toBe(0);
  });

  it("are all different over a hundred thousand words", () => {
    const words = Array.from({ length: 100_000 }, (_, at) => `word-${at}`);
    expect(wordPrints(words.join(" ")).length).toBeGreaterThan(99_995);
  });
});

it("puts together those of which every two are about one topic, and leaves out what fits nowhere", () => {
  const memory = (id: number, words: string) => ({ id, words: wordPrints(words), vector: undefined });
  const cold = [
    memory(1, "the heron stands in the reeds at noon"),
    memory(2, "tabs not spaces"),
    memory(3, "the heron stands in the reeds at dawn"),
    memory(4, "the heron stands in the water at dawn"),
  ];
  expect(clustersOf(cold).map((cluster) => cluster.map(({ id }) => id))).toEqual([[1, 3, 4]]);
});
