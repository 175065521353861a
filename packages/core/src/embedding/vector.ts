import { z } from "zod";
import type { EmbeddingIdentity } from "../ports/embedder.ts";
import { invalid } from "../tool.ts";
import { floatsOf } from "./bytes.ts";

const MAX_DIMENSIONS = 4096;

/** Base64 of a vector, in a schema; its length is checked once its model is known. */
export const vectorText = () =>
  z
    .base64()
    .min(1)
    .max(Math.ceil((4 * MAX_DIMENSIONS * 4) / 3) + 4);
export const vectorNumbers = () => z.array(z.number()).min(1).max(MAX_DIMENSIONS);

/** A vector in one of the two forms that it may come in. */
export function vectorOf({ embedding, embedding_base64 }: GivenForms, dimensions: number): Float32Array {
  if (embedding && !embedding_base64) return vectorOfNumbers(embedding, dimensions, "embedding");
  if (embedding_base64 && !embedding) return vectorOfBase64(embedding_base64, dimensions, "embedding_base64");
  throw invalid([{ path: "embedding", message: "give `embedding` or `embedding_base64`, and one of them only" }]);
}

interface GivenForms {
  readonly embedding?: readonly number[] | undefined;
  readonly embedding_base64?: string | undefined;
}

/** A vector on its way to the store or its search, normalised; `INVALID_INPUT` for one that this model cannot have made. */
export function checkedVector(vector: Float32Array, { dimensions }: EmbeddingIdentity, field: string): Float32Array {
  if (vector.length !== dimensions) throw wrongLength(field, vector.length, dimensions);
  return checked(vector, field);
}

/** A vector from its wire form: Float32, little-endian, in base64. */
export function vectorOfBase64(text: string, dimensions: number, field: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 4 * dimensions) throw wrongLength(field, Math.floor(bytes.length / 4), dimensions);
  return checked(floatsOf(bytes), field);
}

/** A vector from a list of numbers. */
function vectorOfNumbers(numbers: readonly number[], dimensions: number, field: string): Float32Array {
  if (numbers.length !== dimensions) throw wrongLength(field, numbers.length, dimensions);
  return checked(Float32Array.from(numbers), field);
}

/** Finite and not all zero; normalised. */
function checked(vector: Float32Array, field: string): Float32Array {
  let sum = 0;
  for (const x of vector) sum += x * x;
  if (!Number.isFinite(sum)) throw invalid([{ path: field, message: "holds a number that is not finite" }]);
  if (sum === 0) throw invalid([{ path: field, message: "is all zeros" }]);
  const norm = Math.sqrt(sum);
  return vector.map((x) => x / norm);
}

const wrongLength = (field: string, actual: number, dimensions: number) =>
  invalid([{ path: field, message: `has ${actual} numbers, this model makes ${dimensions}` }]);
