import { z } from "zod";
import type { EmbeddingIdentity } from "../ports/embedder.ts";
import { invalid } from "../tool.ts";
import { floatsOfBase64 } from "./bytes.ts";

const MAX_DIMENSIONS = 4096;

/** Base64 of a vector, in a schema; its length is checked once its model is known. */
export const vectorText = () =>
  z
    .base64()
    .min(1)
    .max(Math.ceil((4 * MAX_DIMENSIONS * 4) / 3) + 4);
export const vectorNumbers = () => z.array(z.number()).min(1).max(MAX_DIMENSIONS);

/** Reads a vector from either of its two input forms. */
export function vectorOf({ embedding, embedding_base64 }: VectorForms, dimensions: number): Float32Array {
  if (embedding && !embedding_base64) return vectorOfNumbers(embedding, dimensions, "embedding");
  if (embedding_base64 && !embedding) return vectorOfBase64(embedding_base64, dimensions, "embedding_base64");
  throw invalid([{ path: "embedding", message: "give `embedding` or `embedding_base64`, and one of them only" }]);
}

interface VectorForms {
  readonly embedding?: readonly number[] | undefined;
  readonly embedding_base64?: string | undefined;
}

/** Checks and normalises a vector for storage or search; `INVALID_INPUT` if this model cannot have produced it. */
export function checkedVector(vector: Float32Array, { dimensions }: EmbeddingIdentity, field: string): Float32Array {
  if (vector.length !== dimensions) throw wrongLength(field, vector.length, dimensions);
  return checked(vector, field);
}

/** Reads a vector from its wire form: Float32, little-endian, base64. */
export function vectorOfBase64(text: string, dimensions: number, field: string): Float32Array {
  const size = Buffer.byteLength(text, "base64");
  const vector = size === 4 * dimensions ? floatsOfBase64(text, dimensions) : undefined;
  if (!vector) throw wrongLength(field, Math.floor(size / 4), dimensions);
  return checked(vector, field);
}

/** Reads a vector from a list of numbers. */
function vectorOfNumbers(numbers: readonly number[], dimensions: number, field: string): Float32Array {
  if (numbers.length !== dimensions) throw wrongLength(field, numbers.length, dimensions);
  return checked(Float32Array.from(numbers), field);
}

/** A squared norm this near to 1 counts as 1: 32-bit numbers are no more exact. */
const NORMALISED = 1e-6;

/**
 * Requires finite numbers that are not all zero. Returns the same vector if it is normalised already and owns its
 * memory.
 */
function checked(vector: Float32Array, field: string): Float32Array {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) ** 2;
  if (!Number.isFinite(sum)) throw invalid([{ path: field, message: "holds a number that is not finite" }]);
  if (sum === 0) throw invalid([{ path: field, message: "is all zeros" }]);
  if (Math.abs(sum - 1) < NORMALISED && vector.byteLength === vector.buffer.byteLength) return vector;
  const norm = Math.sqrt(sum);
  const normalised = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) normalised[at] = (vector[at] as number) / norm;
  return normalised;
}

const wrongLength = (field: string, actual: number, dimensions: number) =>
  invalid([{ path: field, message: `has ${actual} numbers, this model makes ${dimensions}` }]);
