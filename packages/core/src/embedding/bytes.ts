import { endianness } from "node:os";

// Number by number it takes longer than all else about a vector.
const isSwapped = endianness() === "BE";

/** A vector as it is kept and sent: Float32, little-endian. May share the vector's memory. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isSwapped ? Buffer.from(bytes).swap32() : bytes;
}

/** A vector from the base64 of that; undefined where the text holds another number of them. */
export function floatsOfBase64(text: string, dimensions: number): Float32Array | undefined {
  const floats = new Float32Array(dimensions);
  const bytes = Buffer.from(floats.buffer);
  if (bytes.write(text, "base64") !== bytes.length) return undefined;
  if (isSwapped) bytes.swap32();
  return floats;
}
