import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { brotliDecompressSync, crc32 } from "node:zlib";

/** Numbers of a token's row, and of the vector of a text. */
export const WIDTH = 512;
/** Numbers of a token inside one of the three convolutions. */
export const INNER = 256;
/** All three convolutions beside the token's own row. */
export const JOINED = WIDTH + 3 * INNER;
/** Tokens that a convolution reads at once, and how many of them stand before the one that it is about. */
export const WINDOWS = [
  { tokens: 2, before: 0 },
  { tokens: 3, before: 1 },
  { tokens: 5, before: 2 },
] as const;
const HIDDEN = 320;

/** A layer's outputs, and the numbers that each of them is a sum over. */
interface Shape {
  readonly outputs: number;
  readonly depth: number;
}

/** Layers in the order of the file: of each convolution the projection and two windows, the joint one, the last six. */
export const SHAPES: readonly Shape[] = [
  ...WINDOWS.flatMap(({ tokens }) => [
    { outputs: INNER, depth: WIDTH },
    { outputs: INNER, depth: tokens * INNER },
    { outputs: INNER, depth: tokens * INNER },
  ]),
  { outputs: WIDTH, depth: JOINED },
  { outputs: HIDDEN, depth: WIDTH },
  { outputs: HIDDEN, depth: WIDTH },
  { outputs: HIDDEN, depth: HIDDEN },
  { outputs: WIDTH, depth: HIDDEN },
  { outputs: WIDTH, depth: HIDDEN },
  { outputs: WIDTH, depth: WIDTH },
];

/** Biases and norms in the order of the file: of each convolution five, then those of the joint layer. */
export const VECTOR_LENGTHS: readonly number[] = [
  ...WINDOWS.flatMap(() => [INNER, INNER, INNER, INNER, INNER]),
  JOINED,
  JOINED,
  WIDTH,
];

/** A layer's whole numbers, output by output; times the scale they are its weights. */
export interface Layer {
  readonly scale: number;
  readonly weights: Int8Array;
}

/** All of a model but its rows. */
export interface Parts {
  /** Texts of the pieces, in the order of their rows, a line each: as strings of their own they would take ten megabytes. */
  readonly pieces: string;
  /** Logarithms of the pieces' probabilities. */
  readonly scores: Float32Array;
  /** Score of a character that no piece has. */
  readonly unknownScore: number;
  readonly layers: readonly Layer[];
  readonly vectors: readonly Float32Array[];
}

/** The rows of pieces, read from the file one by one: in memory they would take twenty megabytes. */
export interface Rows {
  /** Writes a piece's numbers into a place of an array. */
  read(piece: number, numbers: Float32Array, at: number): void;
  close(): void;
}

/** A way to write a row: a number is one of some levels, in units of the row's scale. */
export interface RowKind {
  readonly bits: 2 | 4 | 8;
  readonly levels: Float32Array;
}

const bothSigns = (half: readonly number[]) => Float32Array.from([...half.map((x) => -x).reverse(), ...half]);

/** Rows by how often their pieces occur. Levels of 4 and 2 bits are the best for a normal distribution (Lloyd and Max). */
export const ROW_KINDS: readonly RowKind[] = [
  { bits: 8, levels: bothSigns(Array.from({ length: 128 }, (_, at) => (at + 0.5) / 28)) },
  { bits: 4, levels: bothSigns([0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.069, 2.7326]) },
  { bits: 2, levels: bothSigns([0.4528, 1.51]) },
];

/*
 * The file, little-endian: MAGIC, then as 32 bits each the version, the CRC of all that follows the header, the bytes of the
 * packed parts, and the number of rows of each kind. Then the parts, packed; then the rows, one kind after the other: a
 * scale of 32 bits, and the bits of the kind for each number, those of the first number lowest.
 */
const MAGIC = "ChestSen";
const VERSION = 1;
const HEADER_BYTES = MAGIC.length + 4 * (3 + ROW_KINDS.length);
const SCALE_BYTES = 4;
const rowBytes = ({ bits }: RowKind): number => SCALE_BYTES + (WIDTH * bits) / 8;
const PIECE_BYTES = 1 << 18;

/** Reads a model from its file. Throws with the reason where it is not there, cut off or damaged. */
export function openModelFile(path: string): Parts & { readonly rows: Rows } {
  const file = readable(() => openSync(path, "r"));
  try {
    const { packedBytes, counts } = checked(file);
    const packed = Buffer.allocUnsafe(packedBytes);
    readable(() => readSync(file, packed, 0, packedBytes, HEADER_BYTES));
    const count = counts.reduce((sum, each) => sum + each, 0);
    const parts = unpacked(brotliDecompressSync(packed), count);
    return { ...parts, rows: rowsOf(file, HEADER_BYTES + packedBytes, counts) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`the sentence model cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** Counts of a file whose bytes are all there and as they were written; read in pieces, none of which is kept. */
function checked(file: number) {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const read = () =>
    piece.subarray(
      0,
      readable(() => readSync(file, piece)),
    );
  let bytes = read();
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new Error("the file is not a sentence model");
  const word = (at: number) => bytes.readUInt32LE(MAGIC.length + 4 * at);
  const [version, checksum, packedBytes] = [word(0), word(1), word(2)];
  if (version !== VERSION) throw new Error(`the sentence model has version ${version} and not ${VERSION}`);
  const counts = ROW_KINDS.map((_, at) => word(3 + at));
  const rows = ROW_KINDS.reduce((sum, kind, at) => sum + (counts[at] as number) * rowBytes(kind), 0);
  const { size } = fstatSync(file);
  const whole = HEADER_BYTES + packedBytes + rows;
  if (size !== whole) throw new Error(`the sentence model ${size < whole ? "is cut off" : "has more behind its end"}`);
  let sum = crc32(bytes.subarray(HEADER_BYTES));
  for (bytes = read(); bytes.length > 0; bytes = read()) sum = crc32(bytes, sum);
  if (sum !== checksum) throw new Error("the sentence model is damaged");
  return { packedBytes, counts };
}

function unpacked(bytes: Buffer, count: number): Parts {
  let from = 0;
  const next = (length: number) => {
    const part = bytes.subarray(from, from + length);
    from += length;
    return part;
  };
  const word = () => next(4).readUInt32LE();
  const float = () => next(4).readFloatLE();
  const floats = (length: number) => {
    const numbers = new Float32Array(length);
    new Uint8Array(numbers.buffer).set(next(4 * length));
    return numbers;
  };
  const pieces = next(word()).toString("utf8");
  const scores = floats(count);
  const unknownScore = float();
  const layers = SHAPES.map(({ outputs, depth }) => ({
    scale: float(),
    weights: signed(next(outputs * depth)),
  }));
  return { pieces, scores, unknownScore, layers, vectors: VECTOR_LENGTHS.map(floats) };
}

const signed = ({ buffer, byteOffset, length }: Buffer) => new Int8Array(buffer, byteOffset, length);

/** The parts as one run of bytes, as `unpacked` reads it. */
export function bytesOfParts({ pieces, scores, unknownScore, layers, vectors }: Parts): Buffer {
  const text = Buffer.from(pieces);
  const word = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const bytes = (numbers: ArrayBufferView) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const float = (value: number) => bytes(Float32Array.of(value));
  return Buffer.concat([
    word(text.length),
    text,
    bytes(scores),
    float(unknownScore),
    ...layers.flatMap(({ scale, weights }) => [float(scale), bytes(weights)]),
    ...vectors.map(bytes),
  ]);
}

/** A whole file of packed parts and rows, those of each kind together. */
export function bytesOfModel(packed: Buffer, rows: readonly (readonly Buffer[])[]): Buffer {
  const body = Buffer.concat([packed, ...rows.flat()]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, "latin1");
  const words = [VERSION, crc32(body), packed.length, ...rows.map(({ length }) => length)];
  for (const [at, word] of words.entries()) header.writeUInt32LE(word, MAGIC.length + 4 * at);
  return Buffer.concat([header, body]);
}

/** Times that a row's scale is fitted to its levels anew. */
const ROUNDS = 8;

/** A row in the levels of a kind, its scale the one at which they come nearest. */
export function bytesOfRow(row: Float32Array, { bits, levels }: RowKind): Buffer {
  let scale = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / row.length);
  let codes = codesOf(row, levels, scale);
  for (let round = 0; round < ROUNDS; round++) {
    let [product, square] = [0, 0];
    for (const [at, code] of codes.entries()) {
      const level = levels[code] as number;
      product += (row[at] as number) * level;
      square += level * level;
    }
    scale = product / square;
    codes = codesOf(row, levels, scale);
  }
  const bytes = Buffer.alloc(SCALE_BYTES + (row.length * bits) / 8);
  bytes.writeFloatLE(scale);
  for (const [at, code] of codes.entries()) {
    const place = SCALE_BYTES + ((at * bits) >> 3);
    bytes[place] = (bytes[place] as number) | (code << ((at * bits) & 7));
  }
  return bytes;
}

function codesOf(row: Float32Array, levels: Float32Array, scale: number): Uint8Array {
  const codes = new Uint8Array(row.length);
  for (let code = 1; code < levels.length; code++) {
    const from = (scale * ((levels[code - 1] as number) + (levels[code] as number))) / 2;
    for (let at = 0; at < row.length; at++) if ((row[at] as number) > from) codes[at] = code;
  }
  return codes;
}

function rowsOf(file: number, start: number, counts: readonly number[]): Rows {
  let [first, offset] = [0, start];
  const kinds = ROW_KINDS.map((kind, at) => {
    const own = { ...kind, first, offset, end: first + (counts[at] as number), bytes: Buffer.alloc(rowBytes(kind)) };
    first = own.end;
    offset += (counts[at] as number) * own.bytes.length;
    return own;
  });
  return {
    read(piece, numbers, from) {
      const kind = kinds.find(({ end }) => piece < end);
      if (!kind) throw new Error(`the sentence model has no row ${piece}`);
      const { bytes, bits, levels } = kind;
      const place = kind.offset + (piece - kind.first) * bytes.length;
      if (readSync(file, bytes, 0, bytes.length, place) !== bytes.length)
        throw new Error("the sentence model was cut off");
      const scale = bytes.readFloatLE(0);
      const mask = levels.length - 1;
      for (let at = 0, byte = SCALE_BYTES; byte < bytes.length; byte++)
        for (let shift = 0; shift < 8; shift += bits)
          numbers[from + at++] = scale * (levels[((bytes[byte] as number) >> shift) & mask] as number);
    },
    close: () => closeSync(file),
  };
}
