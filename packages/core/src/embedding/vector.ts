import { invalid } from "../tool.ts";

/** A vector from its wire form: Float32, little-endian, in base64. */
export function vectorOfBase64(text: string, dimensions: number, field: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 4 * dimensions) throw wrongLength(field, Math.floor(bytes.length / 4), dimensions);
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = bytes.readFloatLE(4 * i);
  return checked(vector, field);
}

/** A vector from a list of numbers. */
export function vectorOfNumbers(numbers: readonly number[], dimensions: number, field: string): Float32Array {
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
