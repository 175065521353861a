import { createHash } from "node:crypto";
import type { EmbeddingIdentity } from "@chest/core/ports";
import { seeded } from "../support/random.ts";
import type { Vectors } from "./vectors.ts";

const DIMENSIONS = 1024;
const random = seeded(5);
const SIGNS = Array.from({ length: DIMENSIONS }, () => (random() < 0.5 ? -1 : 1));
const SIZES = [3, 4, 5];
// A model's vectors lie in a narrow cone: unrelated texts still have a cosine well above 0.
const COMMON = 0.5;

const identity: EmbeddingIdentity = {
  model: "chest-eval/character-grams",
  revision: "2",
  dimensions: DIMENSIONS,
  pooling: "sum",
};

/**
 * Embedder that hashes character n-grams into a vector, equally on every machine. Its vectors take the same path as a
 * model's, so it measures how well word search and vector search are combined, but not meaning.
 */
export const HASHED: Vectors = {
  name: "grams",
  identity,
  embedder: {
    identity,
    state: async () => ({ isUsable: true }),
    embedQuery: async (text) => hashedVector(text),
    embedPassages: async (texts) => texts.map((text) => ({ vector: hashedVector(text), isCut: false })),
    close: async () => undefined,
  },
};

function hashedVector(text: string): Float32Array {
  const counts = new Map<string, number>();
  for (const word of text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const characters = [...` ${word} `];
    const sizes = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)
      ? [2, 3]
      : SIZES;
    for (const size of sizes)
      for (let at = 0; at + size <= characters.length; at++) {
        const gram = characters.slice(at, at + size).join("");
        counts.set(gram, (counts.get(gram) ?? 0) + 1);
      }
  }
  const vector = new Float32Array(DIMENSIONS);
  for (const [gram, count] of counts) {
    const hash = hashOf(gram);
    const place = 1 + (hash % (DIMENSIONS - 1));
    vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -1 : 1) * Math.log1p(count);
  }
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)) || 1;
  const own = vector.map((x) => (x / norm) * Math.sqrt(1 - COMMON));
  own[0] = Math.sqrt(COMMON);
  return turned(own);
}

/**
 * Rotates a vector (a Walsh-Hadamard transform after random signs). All angles stay, and the few non-zero numbers of a
 * short text spread over all dimensions; a scan by the signs of zeros would find nothing.
 */
function turned(vector: Float32Array): Float32Array {
  const turning = vector.map((x, at) => x * (SIGNS[at] ?? 1));
  for (let half = 1; half < turning.length; half *= 2)
    for (let from = 0; from < turning.length; from += 2 * half)
      for (let at = from; at < from + half; at++) {
        const [a = 0, b = 0] = [turning[at], turning[at + half]];
        turning[at] = a + b;
        turning[at + half] = a - b;
      }
  return turning.map((x) => x / Math.sqrt(turning.length));
}

const known = new Map<string, number>();

function hashOf(gram: string): number {
  const hash = known.get(gram) ?? createHash("sha1").update(gram).digest().readUInt32LE();
  known.set(gram, hash);
  return hash;
}
