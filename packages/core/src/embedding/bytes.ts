import { endianness } from "node:os";

// Copying number by number would dominate the cost of a vector, so bytes are swapped only on big-endian machines.
const isSwapped = endianness() === "BE";

/** Stored form of a vector: Float32, little-endian. May share the vector's memory. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isSwapped ? Buffer.from(bytes).swap32() : bytes;
}

/** Reads a vector from base64 of its stored form; undefined if the number of dimensions differs. */
export function floatsOfBase64(text: string, dimensions: number): Float32Array | undefined {
  const floats = new Float32Array(dimensions);
  const bytes = Buffer.from(floats.buffer);
  if (bytes.write(text, "base64") !== bytes.length) return undefined;
  if (isSwapped) bytes.swap32();
  return floats;
}
