/** Reads a cell made by `Dialect.vector`: little-endian Float32 bytes at any alignment, or numbers. */
export function vectorIn(cell: Uint8Array | readonly number[]): Float32Array {
  if (!(cell instanceof Uint8Array)) return Float32Array.from(cell);
  const copy = new ArrayBuffer(cell.length);
  new Uint8Array(copy).set(cell);
  return new Float32Array(copy);
}
