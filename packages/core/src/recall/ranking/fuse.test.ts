import { describe, expect, it } from "vitest";
import type { Hit } from "../../ports/search.ts";
import type { CosineScale } from "./cosines.ts";
import { fuse } from "./fuse.ts";
import { DEFAULT_RANKING, type Ranking } from "./ranking.ts";

const hits = (scores: Readonly<Record<number, number>>): Hit[] =>
  Object.entries(scores)
    .map(([id, score]) => ({ id: Number(id), score, rank: 0 }))
    .sort((a, b) => b.score - a.score)
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
const many = (count: number) => hits(Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, 100 - i])));
const relevances = (words: Hit[] | undefined, vector: Hit[] | undefined, ranking: Partial<Ranking> = {}) =>
  new Map(fuse(words, vector, { ...DEFAULT_RANKING, ...ranking }).map(({ id, relevance }) => [id, relevance]));

describe.each([["convex"], ["rrf"]] as const)("fused by %s", (fusion) => {
  it("the best is 1, and the order of a single leg is kept", () => {
    const rows = [...relevances(many(20), undefined, { fusion })];
    expect(rows[0]).toEqual([1, 1]);
    expect(rows.map(([id]) => id)).toEqual(many(20).map(({ id }) => id));
  });

  it("no row of a single leg is dropped for being its last", () => {
    expect(relevances(many(6), undefined, { fusion }).size).toBe(6);
    expect(relevances(many(200), undefined, { fusion }).size).toBe(200);
    expect(relevances(many(200), [], { fusion }).size).toBe(200);
  });

  it("a row in both legs is never below the same row in one", () => {
    const both = relevances(hits({ 1: 9, 2: 8, 3: 7 }), hits({ 2: 0.9, 4: 0.8 }), { fusion });
    const one = relevances(hits({ 1: 9, 2: 8, 3: 7 }), hits({ 4: 0.8 }), { fusion });
    expect(both.get(2)).toBeGreaterThanOrEqual(one.get(2) ?? 0);
  });

  it("a better place in one leg, all else alike, is never a worse one in the whole", () => {
    const vector = hits({ 1: 0.7, 2: 0.7 });
    const rows = relevances(hits({ 1: 9, 2: 5, 3: 1 }), vector, { fusion });
    expect(rows.get(1)).toBeGreaterThanOrEqual(rows.get(2) ?? 0);
  });

  it("a vector hit below the least cosine is none, and a leg without hits takes no share", () => {
    const [row, ...others] = fuse(hits({ 1: 5 }), hits({ 1: 0.54, 2: 0.3 }), { ...DEFAULT_RANKING, fusion });
    expect(row).toMatchObject({ id: 1, relevance: 1, words: { id: 1, score: 5, rank: 1 } });
    expect(row?.vector).toBeUndefined();
    expect(others).toEqual([]);
  });

  it("keeps what each leg said of a row", () => {
    const [row] = fuse(hits({ 1: 5, 2: 3 }), hits({ 1: 0.9, 3: 0.6 }), { ...DEFAULT_RANKING, fusion });
    expect(row).toMatchObject({ id: 1, words: { score: 5, rank: 1 }, vector: { score: 0.9, rank: 1 }, vectorNorm: 1 });
  });

  it("nothing found is nothing", () => {
    expect(fuse([], [], { ...DEFAULT_RANKING, fusion })).toEqual([]);
    expect(fuse(undefined, undefined, { ...DEFAULT_RANKING, fusion })).toEqual([]);
  });

  it("equals come by their ids", () => {
    const equal = [2, 1, 3].map((id) => ({ id, score: 5, rank: 1 }));
    expect([...relevances(equal, undefined, { fusion })]).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });
});

describe("the convex sum", () => {
  it("gives each leg its share", () => {
    const rows = relevances(hits({ 1: 5 }), hits({ 2: 0.9 }), { vectorWeight: 0.8 });
    expect([rows.get(2), rows.get(1)]).toEqual([1, expect.closeTo(0.25)]);
  });

  it("drops what is under a twentieth of the best", () => {
    const words = [...many(10), { id: 99, score: 1, rank: 11 }];
    expect(relevances(words, hits({ 1: 0.9 })).has(99)).toBe(false);
    expect(relevances(words, undefined).has(99)).toBe(true);
  });

  it("keeps the last of a short list well above nothing", () => {
    expect(relevances(many(5), undefined).get(5)).toBe(0.3);
    expect(relevances(many(6), undefined).get(6)).toBeLessThan(0.1);
  });
});

describe("words and meaning", () => {
  const covered = (coverages: Readonly<Record<number, number>>) =>
    Object.entries(coverages).map(([id, coverage], at) => ({ id: Number(id), score: 9 - at, rank: at + 1, coverage }));
  // Most of them are only as near as anything is.
  const background = (ids: number, over: Readonly<Record<number, number>>) =>
    hits({ ...Object.fromEntries(Array.from({ length: ids }, (_, i) => [1000 + i, 0.4 + 0.001 * i])), ...over });
  const order = (words: Hit[], vector: Hit[], cosines?: CosineScale) =>
    fuse(words, vector, { ...DEFAULT_RANKING, minCosine: -1 }, cosines).map(({ id }) => id);
  const known = { spread: 0.25, trust: 1 };

  it("a row that says all of the question stays above what is merely near, if nobody knows the model", () => {
    expect(order(covered({ 1: 1, 2: 0.5 }), background(60, { 3: 0.9 })).slice(0, 2)).toEqual([1, 2]);
    expect(order(covered({ 1: 1, 2: 0.5 }), background(60, { 3: 0.9 }))).toContain(3);
  });

  it("a row that a known model puts far above all others comes before one that says a word of the question", () => {
    expect(order(covered({ 1: 0.15, 2: 0.1 }), background(60, { 3: 0.7 }), known)[0]).toBe(3);
    expect(order(covered({ 1: 1, 2: 0.5 }), background(60, { 3: 0.7, 1: 0.6 }), known)[0]).toBe(1);
  });

  it("what stands out of the background by little decides little, though it be the nearest there is", () => {
    const [first, second] = fuse(covered({ 1: 0.6, 2: 0.5 }), background(60, { 2: 0.48 }), {
      ...DEFAULT_RANKING,
      minCosine: -1,
    });
    expect([first?.id, second?.id]).toEqual([1, 2]);
    expect(second?.vectorNorm).toBeLessThan(0.1);
  });

  it("is nothing where words hold too little of the question and nobody stands out in meaning", () => {
    expect(order(covered({ 1: 0.09 }), background(60, { 1: 0.46 }))).toEqual([]);
    expect(order(covered({ 1: 0.09 }), background(60, { 3: 0.6 }))[0]).toBe(3);
    expect(order([], background(60, {}))).toEqual([]);
  });

  it("how much of the question that is, an operator decides", () => {
    const strict = { ...DEFAULT_RANKING, minCoverage: 0.3 };
    expect(fuse(covered({ 1: 0.29 }), undefined, strict)).toEqual([]);
    expect(fuse(covered({ 1: 0.31, 2: 0.1 }), undefined, strict)).toHaveLength(2);
    expect(fuse(covered({ 1: 0 }), undefined, { ...DEFAULT_RANKING, minCoverage: 0 })).toHaveLength(1);
  });

  it("by the scale of its model: cosines that lie close together still tell", () => {
    const e5 = { spread: 0.08, trust: 1 };
    const close = hits({ ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [1000 + i, 0.78])), 3: 0.86 });
    expect(order(covered({ 1: 0.15 }), close, e5)[0]).toBe(3);
    expect(order(covered({ 1: 0.15 }), close, known)[0]).toBe(1);
  });
});
