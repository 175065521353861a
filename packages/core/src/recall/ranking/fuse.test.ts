import { describe, expect, it } from "vitest";
import { TABLE_IDENTITY } from "../../embedding/known-models.ts";
import type { Hit, WordHit } from "../../ports/search.ts";
import { evidenceFor, isRelated } from "./confidence.ts";
import { type CosineScale, cosinesOf, ofTerms } from "./cosines.ts";
import { fuse, fuseAll } from "./fuse.ts";
import { DEFAULT_RANKING, type Ranking } from "./ranking.ts";

const hits = (scores: Readonly<Record<number, number>>): Hit[] =>
  Object.entries(scores)
    .map(([id, score]) => ({ id: Number(id), score, rank: 0 }))
    .sort((a, b) => b.score - a.score)
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
/** Text scores of a question whose best would be 20. */
const BEST = 20;
const lexical = (scores: Readonly<Record<number, number>>): WordHit[] =>
  hits(scores).map((hit) => ({ ...hit, ofBest: hit.score / BEST, coverage: 1 }));
const many = (count: number) =>
  lexical(Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, 15 * 0.97 ** i])));
const relevances = (words: WordHit[] | undefined, vector: Hit[] | undefined, ranking: Partial<Ranking> = {}) =>
  new Map(fuse(words, vector, { ...DEFAULT_RANKING, ...ranking }).map(({ id, relevance }) => [id, relevance]));

describe.each([["convex"], ["rrf"]] as const)("fused by %s", (fusion) => {
  it("the order of a single leg is kept", () => {
    const rows = [...relevances(many(20), undefined, { fusion })];
    expect(rows.map(([id]) => id)).toEqual(many(20).map(({ id }) => id));
  });

  it("a row has the same relevance whatever else was found", () => {
    const [words, vector] = [lexical({ 1: 9, 2: 8, 3: 7 }), hits({ 1: 0.8, 2: 0.7 })];
    for (const ofVector of [undefined, vector]) {
      const all = relevances(words, ofVector, { fusion });
      const alone = relevances(words.slice(0, 2), ofVector, { fusion });
      for (const id of [1, 2]) expect([id, alone.get(id)]).toEqual([id, all.get(id)]);
    }
  });

  it("no row that words found is dropped for being its last", () => {
    expect(relevances(many(6), undefined, { fusion }).size).toBe(6);
    expect(relevances(many(200), undefined, { fusion }).size).toBe(200);
    expect(relevances(many(200), [], { fusion }).size).toBe(200);
  });

  it("a row in both legs is never below the same row in one", () => {
    const both = relevances(lexical({ 1: 9, 2: 8, 3: 7 }), hits({ 2: 0.9, 4: 0.8 }), { fusion });
    const one = relevances(lexical({ 1: 9, 2: 8, 3: 7 }), hits({ 4: 0.8 }), { fusion });
    expect(both.get(2)).toBeGreaterThanOrEqual(one.get(2) ?? 0);
  });

  it("a better place in one leg, all else alike, is never a worse one in the whole", () => {
    const vector = hits({ 1: 0.7, 2: 0.7 });
    const rows = relevances(lexical({ 1: 9, 2: 5, 3: 1 }), vector, { fusion });
    expect(rows.get(1)).toBeGreaterThanOrEqual(rows.get(2) ?? 0);
  });

  it("a vector hit below the least cosine is none, and a leg without hits takes no share", () => {
    const found = (vector: Hit[] | undefined) => fuse(lexical({ 1: 5 }), vector, { ...DEFAULT_RANKING, fusion });
    const [row, ...others] = found(hits({ 1: 0.54, 2: 0.3 }));
    expect(row).toMatchObject({ id: 1, words: { id: 1, score: 5, rank: 1 } });
    expect(row?.relevance).toBe(found(undefined)[0]?.relevance);
    expect(row?.vector).toBeUndefined();
    expect(others).toEqual([]);
  });

  it("keeps what each leg said of a row", () => {
    const [row] = fuse(lexical({ 1: 5, 2: 3 }), hits({ 1: 0.9, 3: 0.6 }), { ...DEFAULT_RANKING, fusion });
    expect(row).toMatchObject({ id: 1, words: { score: 5, rank: 1 }, vector: { score: 0.9, rank: 1 }, vectorNorm: 1 });
  });

  it("nothing found is nothing", () => {
    expect(fuse([], [], { ...DEFAULT_RANKING, fusion })).toEqual([]);
    expect(fuse(undefined, undefined, { ...DEFAULT_RANKING, fusion })).toEqual([]);
  });

  it("equals come by their ids", () => {
    const equal = [2, 1, 3].map((id) => ({ id, score: 5, rank: 1, ofBest: 0.25, coverage: 1 }));
    expect([...relevances(equal, undefined, { fusion }).keys()]).toEqual([1, 2, 3]);
  });
});

describe("the convex sum", () => {
  it("of words alone is the text score divided by the best that the question could get", () => {
    expect([...relevances(lexical({ 1: 10.999, 2: 10.727, 3: 2 }), undefined).values()]).toEqual([
      expect.closeTo(0.55),
      expect.closeTo(0.536),
      expect.closeTo(0.1),
    ]);
  });

  it("of vectors alone is 1 as far above the background as an answer lies, and falls fast", () => {
    const [near, nearer] = [hits({ 1: 0.68 }), hits({ 1: 0.8 })].map((vector) => relevances(undefined, vector).get(1));
    expect([near, nearer]).toEqual([expect.closeTo(0.27), expect.closeTo(1)]);
  });

  it("gives each leg its share", () => {
    const rows = relevances(lexical({ 1: 10 }), hits({ 2: 0.9 }), { vectorWeight: 0.8 });
    expect([rows.get(1), rows.get(2)]).toEqual([expect.closeTo(0.435), expect.closeTo(0.13)]);
    expect(relevances(lexical({ 1: 10 }), hits({ 2: 0.9 }), { vectorWeight: 1 })).toEqual(new Map([[2, 1]]));
  });

  it("drops what the vectors alone found and is under a twentieth of the best", () => {
    const found = relevances(lexical({ 1: 9, 2: 0.1 }), hits({ 3: 0.9, 4: 0.57 }));
    expect([...found.keys()]).toEqual([1, 3, 2]);
  });
});

describe("words and meaning", () => {
  /** Scores of rows with these coverages, when each thing is said once. */
  const covered = (coverages: Readonly<Record<number, number>>): WordHit[] =>
    Object.entries(coverages).map(([id, coverage], at) => {
      const ofBest = 0.45 * coverage ** 1.5;
      return { id: Number(id), score: BEST * ofBest, ofBest, rank: at + 1, coverage };
    });
  // Most of them are only as near as anything is.
  const background = (ids: number, over: Readonly<Record<number, number>>) =>
    hits({ ...Object.fromEntries(Array.from({ length: ids }, (_, i) => [1000 + i, 0.4 + 0.001 * i])), ...over });
  const order = (words: WordHit[], vector: Hit[], cosines?: CosineScale) =>
    fuse(words, vector, { ...DEFAULT_RANKING, minCosine: -1 }, cosines).map(({ id }) => id);
  const known = { spread: 0.25, trust: 1, least: 0.55 };

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

  it("a cosine counts the less the fewer terms its question has", () => {
    const scale = cosinesOf(TABLE_IDENTITY);
    const unrelated = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [1000 + i, 0.04 + 0.001 * i]));
    const near = hits({ ...unrelated, 3: 0.35 });
    const answers = (terms: number | undefined) => order([], near, ofTerms(scale, terms));
    expect(answers(0)).toEqual([]);
    expect(answers(1)).toEqual([]);
    expect(answers(12)[0]).toBe(3);
    expect(answers(undefined)[0]).toBe(3);
  });

  it("of rows whose texts were read, the terms decide more than the cosine, and the list of vectors is still told", () => {
    const scale = ofTerms(cosinesOf(TABLE_IDENTITY), 4);
    const vector = hits({ 1: 0.5, 2: 0.4 });
    const read = new Map([
      [1, { cosine: 0.5, byTerm: 0.4 }],
      [2, { cosine: 0.4, byTerm: 0.9 }],
      [3, { cosine: 0.3, byTerm: 0.8 }],
      [4, { cosine: 0, byTerm: 0.1 }],
    ]);
    const rows = fuseAll([], vector, DEFAULT_RANKING, scale, { near: read, share: 1, scale });
    expect(rows.map(({ id }) => id)).toEqual([2, 3, 1]);
    expect(rows.map((row) => row.vector?.score)).toEqual([0.4, undefined, 0.5]);
  });

  it("a row whose text was read is none below the least cosine that an operator set", () => {
    const scale = ofTerms(cosinesOf(TABLE_IDENTITY), 4);
    const read = new Map([[1, { cosine: 0.3, byTerm: 0.9 }]]);
    const found = (minCosine: number) =>
      fuseAll([], [], { ...DEFAULT_RANKING, minCosine }, scale, { near: read, share: 1, scale });
    expect(found(0.4)).toEqual([]);
    expect(found(0.2).map(({ id }) => id)).toEqual([1]);
    expect(found(-1)[0]?.relevance).toBe(found(0.2)[0]?.relevance);
  });

  it("a model that the table reads beside puts first what both find near, and keeps what either does", () => {
    const e5 = cosinesOf({
      model: "Xenova/multilingual-e5-small",
      revision: "761b726dd34fb83930e26aab4e9ac3899aa1fa78",
    });
    const scale = ofTerms(cosinesOf(TABLE_IDENTITY), 4);
    const near = new Map([
      [1, { cosine: 0, byTerm: 0.1 }],
      [2, { cosine: 0.5, byTerm: 0.7 }],
      [3, { cosine: 0.5, byTerm: 0.6 }],
    ]);
    const cosines = hits({ 1: 0.9, 2: 0.8 });
    const reading = { near, share: e5.readByTable ?? 0, scale };
    const found = (ranking: object) =>
      fuseAll([], cosines, { ...DEFAULT_RANKING, ...ranking }, e5, reading).map(({ id }) => id);
    expect(fuseAll([], cosines, DEFAULT_RANKING, e5)[0]?.id).toBe(1);
    expect(found({})).toEqual([2, 3, 1]);
    expect(found({ minCosine: 0.85 })).toEqual([1]);
  });

  it("a table that finds nothing in common speaks against words, and for them where it does", () => {
    const scale = ofTerms(cosinesOf(TABLE_IDENTITY), 4);
    const sure = (cosine: number) => {
      const read = new Map([[1, { cosine, byTerm: 0.5 }]]);
      const [row] = fuseAll(covered({ 1: 0.3 }), hits({ 1: cosine }), DEFAULT_RANKING, scale, {
        near: read,
        share: 1,
        scale,
      });
      return evidenceFor(row ?? {});
    };
    const alone = evidenceFor(fuse(covered({ 1: 0.3 }), undefined, DEFAULT_RANKING)[0] ?? {});
    expect(alone).toBeCloseTo(0.3);
    expect(sure(0)).toBeLessThan(DEFAULT_RANKING.minCoverage);
    expect(sure(0.5)).toBeGreaterThan(alone);
  });

  it("a row has no place where nothing speaks for it, or much against it", () => {
    expect([{}, { lexical: 0, semantic: 0 }, { lexical: 0, semantic: -0.18 }].map(isRelated)).toEqual([
      false,
      false,
      false,
    ]);
    expect([{ lexical: 0.1, semantic: -0.18 }, { semantic: 0.2 }, { lexical: 0.05 }].map(isRelated)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("by the scale of its model: cosines that lie close together still tell", () => {
    const e5 = { spread: 0.08, trust: 1, least: 0.55 };
    const close = hits({ ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [1000 + i, 0.78])), 3: 0.86 });
    expect(order(covered({ 1: 0.3 }), close, e5)[0]).toBe(3);
    expect(order(covered({ 1: 0.3 }), close, known)[0]).toBe(1);
  });
});
