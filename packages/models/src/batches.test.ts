import { describe, expect, it } from "vitest";
import { Batches } from "./batches.ts";
import type { Tokens } from "./model.ts";

const MAX_TEXTS = 16;
const MAX_TOKENS = 2048;

/** A model of a token a letter, whose vector is the length of a text; and the batches that it was given. */
function recordingModel(most = Number.POSITIVE_INFINITY) {
  const given: number[][] = [];
  const tokenize = (text: string): Tokens => ({
    ids: Array.from({ length: Math.min(text.length, most) }, () => 1),
    types: undefined,
    isCut: text.length > most,
  });
  const compute = async function* (batch: readonly Tokens[]) {
    given.push(batch.map(({ ids }) => ids.length));
    yield;
    return batch.map(({ ids }) => Float32Array.of(ids.length, -ids.length));
  };
  return { model: { width: 2, tokenize, compute }, given };
}

async function all(lengths: readonly number[], most?: number) {
  const { model, given } = recordingModel(most);
  const batches = new Batches({ texts: lengths.map((length) => "x".repeat(length)), isUrgent: false }, model);
  for (let isDone = false; !isDone; ) isDone = await batches.next();
  return { batches, given };
}

describe("a batch", () => {
  it("holds no more texts, and with its padding no more tokens, than a machine's memory takes", async () => {
    const lengths = Array.from({ length: 600 }, (_, at) => 1 + ((at * 7919) % 1500));
    const { batches, given } = await all(lengths);

    for (const batch of given) {
      expect(batch.length).toBeLessThanOrEqual(MAX_TEXTS);
      expect(Math.max(...batch) * batch.length).toBeLessThanOrEqual(MAX_TOKENS);
    }
    expect(given.flat().sort((a, b) => a - b)).toEqual([...lengths].sort((a, b) => a - b));
    // Each text's numbers stand at its own place, in any batch.
    expect([...batches.numbers]).toEqual(lengths.flatMap((length) => [length, -length]));
  });

  it("is one text alone where that is longer than a batch may be", async () => {
    const { given } = await all([10, 5000, 12, 3000]);
    expect(given).toEqual([[5000], [3000], [12, 10]]);
  });

  it("says which texts were cut, by their place", async () => {
    const { batches } = await all([10, 600, 20, 700], 512);
    expect([...batches.cut].sort()).toEqual([1, 3]);
  });

  it("is under way from its first pause to its end", async () => {
    const { model } = recordingModel();
    const batches = new Batches({ texts: ["a", "b"], isUrgent: false }, model);
    const seen = [];
    for (let isDone = false; !isDone; seen.push(batches.isUnderWay)) isDone = await batches.next();
    expect(seen).toEqual([true, false]);
  });

  it("is none where there is nothing to do", async () => {
    expect((await all([])).given).toEqual([]);
  });
});
