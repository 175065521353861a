import { createHash } from "node:crypto";
import type { EmbeddingIdentity } from "@chest/core";
import type { Vectors } from "./vectors.ts";

const DIMENSIONS = 256;
const SIZES = [3, 4, 5];
// A model's vectors lie in a cone: texts with nothing in common still have a cosine well above 0.
const COMMON = 0.5;

const identity: EmbeddingIdentity = {
  model: "chest-eval/character-grams",
  revision: "1",
  dimensions: DIMENSIONS,
  pooling: "sum",
};

/**
 * Character grams hashed to a vector, the same on every machine: it takes the way that a model's vectors take, and says
 * how well the legs are joined. It knows no meaning: what a model would find is not measured with it.
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
  return own;
}

const known = new Map<string, number>();

function hashOf(gram: string): number {
  const hash = known.get(gram) ?? createHash("sha1").update(gram).digest().readUInt32LE();
  known.set(gram, hash);
  return hash;
}
