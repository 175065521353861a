/** Reads a cell that `Dialect.vector` made: little-endian Float32 bytes at any place in memory, or numbers. */
export function vectorIn(cell: Uint8Array | readonly number[]): Float32Array {
  if (!(cell instanceof Uint8Array)) return Float32Array.from(cell);
  const copy = new ArrayBuffer(cell.length);
  new Uint8Array(copy).set(cell);
  return new Float32Array(copy);
}
