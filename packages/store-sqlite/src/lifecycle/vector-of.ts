/** A stored vector: Float32, little-endian, at any place in memory. */
export function vectorOf(bytes: Buffer): Float32Array {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return new Float32Array(copy);
}
