import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, readSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { type Arena, CELL, offsetOf, unitOf } from "./arena.ts";
import { bytesOf } from "./bits.ts";
import type { Dot } from "./kernel/kernel.ts";
import type { Places } from "./scan-results.ts";
import { MOST_DIMENSIONS, type Segment, SLOTS } from "./segment.ts";

/** 131,072 vectors of 1024 numbers. */
const IN_MEMORY_BYTES = 128 * 1024 * 1024;
const MOST_OF_ROW = 127;
/** Finer than the steps of a row, and the limit for a sum of 32,768 products. */
const MOST_OF_QUERY = 2047;
// A thread's buffer: the query, and the row last read from the file.
const QUERY_BYTES = 2 * MOST_DIMENSIONS;
const ROOM = QUERY_BYTES + MOST_DIMENSIONS;
/** Free disk space to leave, because the store's own writes take precedence. */
const LEAVES_BYTES = 512 * 1024 * 1024;

/** Open in all threads of a process. */
export interface CoarseFile {
  readonly descriptor: number;
  readonly folder: string;
}

/**
 * Opens an unnamed file beside the store, which disappears with this process. Undefined if that is impossible: vectors
 * are then compared by their rows.
 */
export function openCoarseFile(storePath: string): CoarseFile | undefined {
  const path = `${storePath}.${randomUUID()}.vectors`;
  try {
    const descriptor = openSync(path, "wx+", 0o600);
    try {
      rmSync(path);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return { descriptor, folder: dirname(path) };
  } catch {
    return undefined;
  }
}

/**
 * Every vector with one byte per number, by slot: in memory for small stores, otherwise in a file. Reading one costs a
 * tenth of reading the row, in memory a hundredth; its cosine is off by some ten-thousandths at 1024 numbers, and a
 * thousandth at 200. It is optional: after an error, or if the disk is nearly full, the file is emptied and no longer
 * used.
 */
export class CoarseVectors {
  readonly #arena: Arena;
  readonly #thread: number;
  readonly #dot: Dot;
  readonly #file: CoarseFile | undefined;
  #written = new Int8Array(0);
  #room: number | undefined;

  constructor(arena: Arena, thread: number, dot: Dot, file: CoarseFile | undefined) {
    this.#arena = arena;
    this.#thread = thread;
    this.#dot = dot;
    this.#file = file;
  }

  /** Announces the number of vectors: if they exceed the memory limit, all go into the file. */
  expect(vectors: number, dimensions: number): void {
    if (vectors * strideOf(dimensions) > IN_MEMORY_BYTES)
      Atomics.store(this.#arena.cells(), CELL.coarseUnits, unitOf(IN_MEMORY_BYTES));
  }

  /** Allocates a segment's coarse vectors and returns the first unit; 0 if they go into the file. */
  allocate(dimensions: number): number {
    const cells = this.#arena.cells();
    const bytes = SLOTS * strideOf(dimensions);
    if (Atomics.load(cells, CELL.coarseUnits) + unitOf(bytes) > unitOf(IN_MEMORY_BYTES)) return 0;
    try {
      const unit = unitOf(this.#arena.allocate(bytes));
      Atomics.add(cells, CELL.coarseUnits, unitOf(bytes));
      return unit;
    } catch {
      return 0; // What is left is for the bits.
    }
  }

  write(segment: Segment, at: number, vector: Float32Array): void {
    if (!this.#isTrusted) return;
    const numbers = this.#zeros(vector.length);
    segment.scales[at] = quantised(vector, numbers, MOST_OF_ROW);
    this.#put(segment, at, numbers);
  }

  /** Overwrites the numbers of a purged memory. */
  clear(segment: Segment, at: number, dimensions: number): void {
    this.#put(segment, at, this.#zeros(dimensions));
  }

  /** Cosines to a normalised vector; undefined if they are not available. */
  cosines(queryVector: Float32Array, { segments, pairs }: Places): Float32Array | undefined {
    if (!this.#isTrusted) return undefined;
    this.#room ??= this.#arena.ownRoom(CELL.coarseRooms + this.#thread, ROOM);
    const stride = strideOf(queryVector.length);
    const memory = this.#arena.bytes();
    const query = this.#room;
    const scale = quantised(queryVector, new Int16Array(memory, query, stride).fill(0), MOST_OF_QUERY);
    const read = new Int8Array(memory, query + QUERY_BYTES, stride);
    const cosines = new Float32Array(pairs.length / 2);
    for (let nth = 0; nth < cosines.length; nth++) {
      const segment = segments[pairs[2 * nth] as number] as Segment;
      const at = pairs[2 * nth + 1] as number;
      const unit = segment.coarse[0] as number;
      if (unit === 0 && !this.#read(segment, at, read)) return undefined;
      const row = unit === 0 ? query + QUERY_BYTES : offsetOf(unit) + at * stride;
      cosines[nth] = (segment.scales[at] as number) * scale * this.#dot(query, row, stride);
    }
    return cosines;
  }

  #put(segment: Segment, at: number, numbers: Int8Array): void {
    const { length } = numbers;
    const unit = segment.coarse[0] as number;
    if (unit > 0) new Int8Array(this.#arena.bytes(), offsetOf(unit) + at * length, length).set(numbers);
    else if (!this.#isTrusted) return;
    else if (this.#file === undefined || (at === 0 && !hasRoomFor(SLOTS * length, this.#file))) this.#distrust();
    else this.#transfer(() => writeSync(this.#descriptor, numbers, 0, length, placeOf(segment, at, length)) === length);
  }

  #read(segment: Segment, at: number, into: Int8Array): boolean {
    const { length } = into;
    return this.#transfer(() => readSync(this.#descriptor, into, 0, length, placeOf(segment, at, length)) === length);
  }

  /** False after an error, after which the file is no longer used. */
  #transfer(all: () => boolean): boolean {
    try {
      if (all()) return true;
    } catch {} // Whatever it is: the rows are there.
    this.#distrust();
    return false;
  }

  get #descriptor(): number {
    if (this.#file === undefined) throw new Error("there is no file for coarse vectors");
    return this.#file.descriptor;
  }

  get #isTrusted(): boolean {
    return Atomics.load(this.#arena.cells(), CELL.withoutCoarse) === 0;
  }

  #distrust(): void {
    Atomics.store(this.#arena.cells(), CELL.withoutCoarse, 1);
    try {
      if (this.#file) ftruncateSync(this.#file.descriptor); // Its room is the store's.
    } catch {}
  }

  #zeros(dimensions: number): Int8Array {
    const stride = strideOf(dimensions);
    if (this.#written.length !== stride) this.#written = new Int8Array(stride);
    return this.#written.fill(0);
  }
}

function hasRoomFor(bytes: number, { folder }: CoarseFile): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > bytes + LEAVES_BYTES;
  } catch {
    return false;
  }
}

/** Bytes of a row, padded to what is read at once. */
const strideOf = (dimensions: number): number => 8 * bytesOf(dimensions);

/** Offset of a row in the file. */
const placeOf = ({ rows }: Segment, at: number, stride: number): number => 8 * rows + at * stride;

/**
 * Quantises a vector to integers up to `most`.
 * @returns the size of one step
 */
function quantised(vector: Float32Array, into: Int8Array | Int16Array, most: number): number {
  let greatest = 0;
  for (let i = 0; i < vector.length; i++) greatest = Math.max(greatest, Math.abs(vector[i] as number));
  const factor = greatest > 0 ? most / greatest : 0;
  for (let i = 0; i < vector.length; i++) into[i] = Math.round((vector[i] as number) * factor);
  return greatest / most;
}
