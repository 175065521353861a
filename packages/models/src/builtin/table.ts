import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { indexTerms, TermIndex } from "./term-index.ts";

/** Vectors of terms. Each number of a row is one of its bytes times the row's scale. */
export interface Table {
  readonly dimensions: number;
  readonly index: TermIndex;
  readonly scales: Float32Array;
  readonly numbers: Int8Array;
}

/*
 * The file, little-endian: MAGIC, then as 32 bits each the version, the dimensions, the number of rows, the number of
 * slots and the CRC of all that follows the header. Then a fingerprint of 32 bits a slot, a scale of 32 bits a row,
 * a row + 1 of 16 bits a slot, and a byte for each number of each row. In this order everything is aligned.
 */
const MAGIC = "ChestTab";
const VERSION = 1;
const HEADER_BYTES = 32;
const MAX_DIMENSIONS = 1024;
const MAX_SLOTS = 1 << 20;
const PIECE_BYTES = 1 << 18;

/** Reads a table from its file. Throws with the reason where it is not there, cut off or damaged. */
export const readTable = (path: string): Table => tableOf(readable(() => readFileSync(path)));

/** Reads a table piece by piece, keeps nothing and gives its dimensions. Throws as `readTable` does. */
export function checkTable(path: string): number {
  const file = readable(() => openSync(path, "r"));
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const read = () =>
      piece.subarray(
        0,
        readable(() => readSync(file, piece)),
      );
    let bytes = read();
    const { dimensions, checksum } = shapeOf(bytes, fstatSync(file).size);
    let sum = crc32(bytes.subarray(HEADER_BYTES));
    for (bytes = read(); bytes.length > 0; bytes = read()) sum = crc32(bytes, sum);
    if (sum !== checksum) throw damaged();
    return dimensions;
  } finally {
    closeSync(file);
  }
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`the embedding table cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** The views of a table's bytes; nothing is copied. */
export function tableOf(file: Buffer): Table {
  const bytes = file.byteOffset % 4 === 0 ? file : Buffer.from(file);
  const { dimensions, rows, slots, checksum } = shapeOf(bytes, bytes.length);
  if (crc32(bytes.subarray(HEADER_BYTES)) !== checksum) throw damaged();
  let from = bytes.byteOffset + HEADER_BYTES;
  const next = (size: number) => {
    const at = from;
    from += size;
    return at;
  };
  const fingerprints = new Uint32Array(bytes.buffer, next(4 * slots), slots);
  const scales = new Float32Array(bytes.buffer, next(4 * rows), rows);
  const rowsBySlot = new Uint16Array(bytes.buffer, next(2 * slots), slots);
  const numbers = new Int8Array(bytes.buffer, next(rows * dimensions), rows * dimensions);
  return { dimensions, index: new TermIndex(fingerprints, rowsBySlot), scales, numbers };
}

/** Counts and checksum from a file's first bytes. Throws where they do not fit its size. */
function shapeOf(start: Buffer, size: number) {
  if (start.length < HEADER_BYTES || start.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new Error("the file is not an embedding table");
  const [version = 0, dimensions = 0, rows = 0, slots = 0, checksum = 0] = Array.from({ length: 5 }, (_, word) =>
    start.readUInt32LE(MAGIC.length + 4 * word),
  );
  if (version !== VERSION) throw new Error(`the embedding table has version ${version} and not ${VERSION}`);
  const isSound = dimensions > 0 && dimensions <= MAX_DIMENSIONS && rows < slots && slots <= MAX_SLOTS;
  if (!isSound || size !== sizeOf(dimensions, rows, slots)) throw new Error("the embedding table is cut off");
  return { dimensions, rows, slots, checksum };
}

const damaged = () => new Error("the embedding table is damaged");

/** The bytes of a table whose rows are given by their terms. */
export function bytesOfTable(terms: readonly string[], vectors: Float32Array, dimensions: number): Buffer {
  const rows = terms.length;
  const slots = 2 ** Math.ceil(Math.log2(1.5 * rows + 1));
  const { fingerprints, rows: rowsBySlot } = indexTerms(terms, slots, new Uint16Array(slots));
  const scales = new Float32Array(rows);
  const numbers = new Int8Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const scale = Math.fround(vector.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 127);
    if (scale === 0) continue;
    scales[row] = scale;
    for (const [at, x] of vector.entries()) numbers[row * dimensions + at] = Math.round(x / scale);
  }
  const body = Buffer.concat([fingerprints, scales, rowsBySlot, numbers].map(bytesOf));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, "latin1");
  for (const [at, word] of [VERSION, dimensions, rows, slots, crc32(body)].entries())
    header.writeUInt32LE(word, MAGIC.length + 4 * at);
  return Buffer.concat([header, body]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const sizeOf = (dimensions: number, rows: number, slots: number): number =>
  HEADER_BYTES + 6 * slots + 4 * rows + dimensions * rows;
