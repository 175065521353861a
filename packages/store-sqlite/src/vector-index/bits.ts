import { endianness } from "node:os";

const SWAPPED = endianness() === "BE";

/** A stored vector as numbers: Float32, little-endian. */
export function floatsOf(stored: Buffer): Float32Array {
  const isUsable = !SWAPPED && stored.byteOffset % 4 === 0;
  const own = isUsable ? stored : Buffer.from(stored);
  if (SWAPPED) own.swap32();
  if (own.byteOffset % 4 !== 0) return new Float32Array(new Uint8Array(own).buffer);
  return new Float32Array(own.buffer, own.byteOffset, own.length >> 2);
}

/** Bytes of a vector's bits, padded to the unit of the scan. */
export const bytesOf = (dimensions: number): number => 16 * Math.ceil(dimensions / 128);

/** Writes the sign of each dimension as a bit. Padding stays zero. */
export function writeBits(vector: Float32Array, bits: Uint32Array): void {
  const numbers = new Uint32Array(vector.buffer, vector.byteOffset, vector.length);
  for (let word = 0; word * 32 < numbers.length; word++) {
    let signs = 0;
    for (let bit = 0, at = word * 32; bit < 32; bit++, at++) signs |= ((numbers[at] ?? 0) >>> 31) << bit;
    bits[word] = signs;
  }
}
