import { endianness } from "node:os";

// Number by number it takes longer than all else about a vector.
const isSwapped = endianness() === "BE";

/** A vector as it is kept and sent: Float32, little-endian. May share the vector's memory. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isSwapped ? Buffer.from(bytes).swap32() : bytes;
}

/** A vector from Float32, little-endian; a copy. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  const copy = new Uint8Array(bytes);
  if (isSwapped) Buffer.from(copy.buffer).swap32();
  return new Float32Array(copy.buffer);
}
