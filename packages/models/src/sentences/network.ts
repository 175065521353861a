import { type Multiply, openKernel } from "./kernel/kernel.ts";
import { INNER, JOINED, type Parts, type Rows, SHAPES, WIDTH, WINDOWS } from "./model-file.ts";

/** Largest whole number of an activation: the sum of 1,280 of them times weights of up to 127 stays within 32 bits. */
const MOST = 8191;
/** Rows of zeros before and behind a text, which windows at its ends read. */
const MARGIN = 2;
/** Rows that the kernel may read and write behind the last. */
const BEHIND = 4;
const EPSILON = 1e-12;
/** Pieces of a text that is computed in one go, some five milliseconds of a core; also the rows of each go of a longer one. */
export const BRIEF_PIECES = 128;

/** Room for the numbers of one text: in the kernel's memory, and in arrays of their own. */
interface Scratch {
  /** Byte offsets into the kernel's memory. */
  readonly places: { readonly tokens: number; readonly window: number; readonly sums: number };
  readonly tokens16: Int16Array;
  readonly window16: Int16Array;
  readonly sums32: Int32Array;
  /** Row of each piece, followed by the outputs of the three convolutions. */
  readonly joined: Float32Array;
  /** Activations of the present convolution for each piece. */
  readonly inner: Float32Array;
  readonly summed: Float32Array;
}

/**
 * The sentence encoder: three convolutions over the rows of a text, each over windows of another width, their mean beside that of
 * the rows themselves, and a few layers over the mean. Weights and activations are whole numbers for the kernel.
 */
export class Network {
  readonly #vectors: readonly Float32Array[];
  readonly #rows: Rows;
  readonly #multiply: Multiply;
  readonly #scales: readonly number[];
  /** Byte offsets of the layers' weights in the kernel's memory. */
  readonly #weights: readonly number[];
  readonly #brief: Scratch;
  readonly #long: Scratch;

  /** @param most pieces of a text */
  constructor({ layers, vectors }: Pick<Parts, "layers" | "vectors">, rows: Rows, most: number) {
    const places = layout(most);
    const { memory, multiply } = openKernel(places.bytes);
    for (const [at, { weights }] of layers.entries())
      new Int8Array(memory, places.layers[at] as number, weights.length).set(weights);
    this.#vectors = vectors;
    this.#rows = rows;
    this.#multiply = multiply;
    this.#scales = layers.map(({ scale }) => scale);
    this.#weights = places.layers;
    this.#brief = scratchOf(memory, places.brief, BRIEF_PIECES);
    this.#long = scratchOf(memory, places.long, most);
  }

  /**
   * Computes the vector of a text from the rows of its pieces, and pauses every few milliseconds. A text of at most `BRIEF_PIECES`
   * has no pause, and may be computed in a pause of a longer one; two longer ones must follow each other.
   */
  *vectorOf(ids: readonly number[]): Generator<void, Float32Array<ArrayBuffer>> {
    const count = ids.length;
    const scratch = count <= BRIEF_PIECES ? this.#brief : this.#long;
    const { joined, tokens16, summed } = scratch;
    let peak = 0;
    for (let token = 0; token < count; token++) {
      if (token > 0 && token % BRIEF_PIECES === 0) yield;
      const from = token * JOINED;
      this.#rows.read(ids[token] as number, joined, from);
      for (let at = from; at < from + WIDTH; at++) {
        const size = Math.abs(joined[at] as number);
        if (size > peak) peak = size;
      }
    }
    const scale = peak / MOST;
    const factor = peak > 0 ? MOST / peak : 0;
    for (let token = 0; token < count; token++)
      for (let at = 0; at < WIDTH; at++)
        tokens16[token * WIDTH + at] = rounded((joined[token * JOINED + at] as number) * factor);
    for (const order of WINDOWS.keys()) yield* this.#convolve(scratch, order, count, scale);

    sumOfNormalised(joined, this.#vector(15), this.#vector(16), summed, count);
    const mean = this.#vector(17).map((bias) => bias * count) as Float32Array<ArrayBuffer>;
    this.#addLayer(scratch, 9, summed, mean);
    for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] as number) / Math.sqrt(count);
    const y0 = positive(this.#addLayer(scratch, 10, mean, outputsOf(10)));
    const y1 = positive(this.#addLayer(scratch, 12, y0, this.#addLayer(scratch, 11, mean, outputsOf(11))));
    const y2 = positive(this.#addLayer(scratch, 13, y1, outputsOf(13)));
    const out = this.#addLayer(scratch, 15, y2, this.#addLayer(scratch, 14, y1, outputsOf(14)));
    return unit(out.map(Math.tanh));
  }

  /** Runs one convolution, which writes its numbers of each token beside the token's row. */
  *#convolve(scratch: Scratch, order: number, count: number, scale: number) {
    const { inner, window16, sums32, joined } = scratch;
    const { before } = WINDOWS[order] as (typeof WINDOWS)[number];
    const [bias, gamma, beta, first, second] = [0, 1, 2, 3, 4].map((at) => this.#vector(5 * order + at)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const layer = 3 * order;
    yield* this.#apply(scratch, layer, scratch.places.tokens, 2 * WIDTH, count);
    normaliseRows(sums32, scale * this.#scale(layer), bias, gamma, beta, inner, count);
    const start = scratch.places.window + 2 * INNER * (MARGIN - before);
    for (const [step, offsets] of [first, second].entries()) {
      const whole = toWhole(inner, count * INNER, window16, MARGIN * INNER);
      window16.fill(0, (MARGIN + count) * INNER, (2 * MARGIN + count) * INNER);
      yield* this.#apply(scratch, layer + 1 + step, start, 2 * INNER, count);
      const own = whole * this.#scale(layer + 1 + step);
      for (let at = 0, end = count * INNER; at < end; at += INNER)
        for (let i = 0; i < INNER; i++) {
          const sum = own * (sums32[at + i] as number) + (offsets[i] as number);
          if (sum > 0) inner[at + i] = (inner[at + i] as number) + sum;
        }
    }
    const to = WIDTH + order * INNER;
    for (let token = 0; token < count; token++)
      joined.set(inner.subarray(token * INNER, (token + 1) * INNER), token * JOINED + to);
  }

  /** A layer over rows of whole numbers, some of them at a time; the sums times both scales are its outputs. */
  *#apply({ places }: Scratch, layer: number, from: number, step: number, count: number) {
    const { outputs, depth } = SHAPES[layer] as (typeof SHAPES)[number];
    for (let row = 0; row < count; row += BRIEF_PIECES) {
      if (row > 0) yield;
      const some = Math.min(BRIEF_PIECES, count - row);
      const sums = places.sums + 4 * outputs * row;
      this.#multiply(from + step * row, step, some, this.#weights[layer] as number, outputs, depth, sums);
    }
  }

  /** A layer over one row of numbers, added to an array. */
  #addLayer({ places, tokens16, sums32 }: Scratch, layer: number, numbers: Float32Array, to: Float32Array) {
    const { outputs, depth } = SHAPES[layer] as (typeof SHAPES)[number];
    const scale = toWhole(numbers, numbers.length, tokens16, 0) * this.#scale(layer);
    this.#multiply(places.tokens, 0, 1, this.#weights[layer] as number, outputs, depth, places.sums);
    for (let at = 0; at < to.length; at++) to[at] = (to[at] as number) + scale * (sums32[at] as number);
    return to;
  }

  #vector(at: number): Float32Array {
    return this.#vectors[at] as Float32Array;
  }

  #scale(layer: number): number {
    return this.#scales[layer] as number;
  }
}

const outputsOf = (layer: number) => new Float32Array((SHAPES[layer] as (typeof SHAPES)[number]).outputs);

/** Offsets of everything in the kernel's memory, and its size in bytes. */
function layout(most: number) {
  let bytes = 0;
  const take = (size: number) => {
    const at = bytes;
    bytes += Math.ceil(size / 16) * 16;
    return at;
  };
  const scratchFor = (pieces: number) => ({
    tokens: take(2 * (pieces + BEHIND) * WIDTH),
    window: take(2 * (pieces + 2 * MARGIN + BEHIND) * INNER),
    sums: take(4 * (pieces + BEHIND) * WIDTH),
  });
  const layers = SHAPES.map(({ outputs, depth }) => take(outputs * depth));
  const [brief, long] = [scratchFor(BRIEF_PIECES), scratchFor(most)];
  return { layers, brief, long, bytes };
}

function scratchOf(memory: ArrayBufferLike, places: Scratch["places"], pieces: number): Scratch {
  return {
    places,
    tokens16: new Int16Array(memory, places.tokens, (pieces + BEHIND) * WIDTH),
    window16: new Int16Array(memory, places.window, (pieces + 2 * MARGIN + BEHIND) * INNER),
    sums32: new Int32Array(memory, places.sums, (pieces + BEHIND) * WIDTH),
    joined: new Float32Array(pieces * JOINED),
    inner: new Float32Array(pieces * INNER),
    summed: new Float32Array(JOINED),
  };
}

const rounded = (number: number): number => (number < 0 ? number - 0.5 : number + 0.5) | 0;

/** Writes numbers as whole ones, and gives the size of 1. */
function toWhole(numbers: Float32Array, length: number, to: Int16Array, from: number): number {
  let peak = 0;
  for (let at = 0; at < length; at++) {
    const size = Math.abs(numbers[at] as number);
    if (size > peak) peak = size;
  }
  const factor = peak > 0 ? MOST / peak : 0;
  for (let at = 0; at < length; at++) to[from + at] = rounded((numbers[at] as number) * factor);
  return peak / MOST;
}

/** Layer norm of each row of sums and their bias. */
function normaliseRows(
  sums: Int32Array,
  scale: number,
  bias: Float32Array,
  gamma: Float32Array,
  beta: Float32Array,
  to: Float32Array,
  count: number,
): void {
  for (let from = 0, end = count * INNER; from < end; from += INNER) {
    let [sum, squares] = [0, 0];
    for (let at = 0; at < INNER; at++) {
      const number = scale * (sums[from + at] as number) + (bias[at] as number);
      to[from + at] = number;
      sum += number;
      squares += number * number;
    }
    const mean = sum / INNER;
    const factor = 1 / Math.sqrt(squares / INNER - mean * mean + EPSILON);
    for (let at = 0; at < INNER; at++)
      to[from + at] = ((to[from + at] as number) - mean) * factor * (gamma[at] as number) + (beta[at] as number);
  }
}

/** The sum over all tokens of the layer norm of their numbers. */
function sumOfNormalised(
  joined: Float32Array,
  gamma: Float32Array,
  beta: Float32Array,
  to: Float32Array,
  count: number,
): void {
  const total = new Float64Array(JOINED);
  for (let from = 0, end = count * JOINED; from < end; from += JOINED) {
    let [sum, squares] = [0, 0];
    for (let at = from; at < from + JOINED; at++) {
      const number = joined[at] as number;
      sum += number;
      squares += number * number;
    }
    const mean = sum / JOINED;
    const factor = 1 / Math.sqrt(squares / JOINED - mean * mean + EPSILON);
    for (let at = 0; at < JOINED; at++)
      total[at] = (total[at] as number) + ((joined[from + at] as number) - mean) * factor;
  }
  for (let at = 0; at < JOINED; at++)
    to[at] = (total[at] as number) * (gamma[at] as number) + count * (beta[at] as number);
}

function positive(numbers: Float32Array): Float32Array {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] as number) < 0) numbers[at] = 0;
  return numbers;
}

function unit(numbers: Float32Array): Float32Array<ArrayBuffer> {
  const length = Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(numbers, (x) => x / length);
}
