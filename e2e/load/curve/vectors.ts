import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import { seeded } from "../../support/random.ts";

/** Identity of the curve's vectors: the default model with 1024 dimensions. */
export const [IDENTITY] = KNOWN_IDENTITIES;
const ROWS_A_CLUSTER = 50;
const [OWN, ASKED] = [0.6, 0.3];

/** Vector of a row, near the others of its cluster, as texts on one subject lie near each other. */
export function vectorOf(row: number): Float32Array {
  const centre = noise(2 * Math.floor(row / ROWS_A_CLUSTER));
  const own = noise(2 * row + 1);
  return normalised(centre.map((x, at) => x + OWN * (own[at] ?? 0)));
}

/** Query vector near a row's vector, encoded as a client sends it. */
export function askedVector(row: number, random: () => number): object {
  const off = noise(Math.floor(random() * 2 ** 31));
  const vector = normalised(vectorOf(row).map((x, at) => x + (ASKED * (off[at] ?? 0)) / Math.sqrt(off.length)));
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [at, x] of vector.entries()) bytes.writeFloatLE(x, 4 * at);
  return { vector: bytes.toString("base64"), model: IDENTITY.model, dimensions: IDENTITY.dimensions };
}

/** Approximates a normal distribution with mean 0 by the sum of three uniform numbers. */
function noise(seed: number): Float32Array {
  const random = seeded(seed);
  return Float32Array.from({ length: IDENTITY.dimensions }, () => 2 * (random() + random() + random() - 1.5));
}

function normalised(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map((x) => x / norm);
}
