import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { type Arena, CELL } from "./arena.ts";
import { bytesOf } from "./bits.ts";
import type { Segment } from "./segment.ts";

const MOST = 127;

/**
 * Opens a file without a name beside the store: whatever ends this process, it is gone. Undefined where there cannot be
 * one, and then vectors are compared by their rows alone.
 */
export function openCoarseFile(storePath: string): number | undefined {
  const path = `${storePath}.${randomUUID()}.vectors`;
  try {
    const file = openSync(path, "wx+", 0o600);
    try {
      rmSync(path);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return file;
  } catch {
    return undefined;
  }
}

/**
 * Every vector of the index with a byte a number, by slot: where its bits lie in memory, eight times as far into the file.
 * Reading one costs a tenth of reading the row, and its cosine is off by some ten-thousandths at 1024 numbers, a thousandth at
 * 200. It can be done without: after the first error, a full disk or another, nobody asks it any more.
 */
export class CoarseVectors {
  readonly #file: number | undefined;
  readonly #arena: Arena;
  #room = new Int8Array(0);

  constructor(arena: Arena, file: number | undefined) {
    this.#arena = arena;
    this.#file = file;
  }

  write(segment: Segment, at: number, vector: Float32Array): void {
    if (this.#file === undefined || !this.#isTrusted) return;
    const room = this.#roomFor(vector.length);
    let most = 0;
    for (let i = 0; i < vector.length; i++) most = Math.max(most, Math.abs(vector[i] as number));
    const scale = most / MOST;
    const factor = most > 0 ? 1 / scale : 0;
    for (let i = 0; i < vector.length; i++) room[i] = Math.round((vector[i] as number) * factor);
    segment.scales[at] = scale;
    this.#put(segment, at, room, vector.length);
  }

  /** What a purged memory said is not to stay in any file. */
  clear(segment: Segment, at: number, dimensions: number): void {
    if (this.#file !== undefined && this.#isTrusted)
      this.#put(segment, at, this.#roomFor(dimensions).fill(0), dimensions);
  }

  /** The cosines to a normalised vector; undefined where they cannot be told. */
  cosines(asked: Float32Array, slots: readonly { readonly segment: Segment; readonly at: number }[]) {
    if (this.#file === undefined || !this.#isTrusted) return undefined;
    const { length } = asked;
    const room = this.#roomFor(length);
    const cosines = new Float32Array(slots.length);
    try {
      for (const [nth, { segment, at }] of slots.entries()) {
        if (readSync(this.#file, room, 0, length, offsetOf(segment, at, length)) !== length) return this.#distrust();
        cosines[nth] = (segment.scales[at] as number) * dot(asked, room);
      }
      return cosines;
    } catch {
      return this.#distrust();
    }
  }

  #put(segment: Segment, at: number, room: Int8Array, length: number): void {
    try {
      if (writeSync(this.#file as number, room, 0, length, offsetOf(segment, at, length)) !== length) this.#distrust();
    } catch {
      this.#distrust();
    }
  }

  get #isTrusted(): boolean {
    return Atomics.load(this.#arena.cells(), CELL.withoutCoarse) === 0;
  }

  #distrust(): undefined {
    Atomics.store(this.#arena.cells(), CELL.withoutCoarse, 1);
    return undefined;
  }

  #roomFor(length: number): Int8Array {
    if (this.#room.length < length) this.#room = new Int8Array(length);
    return this.#room;
  }
}

const offsetOf = ({ rows }: Segment, at: number, dimensions: number): number => 8 * (rows + at * bytesOf(dimensions));

function dot(a: Float32Array, b: Int8Array): number {
  let [even, odd] = [0, 0]; // Two sums that do not wait for one another.
  for (let i = 0; i < a.length; i += 2) {
    even += (a[i] as number) * (b[i] as number);
    odd += (a[i + 1] ?? 0) * (b[i + 1] ?? 0);
  }
  return even + odd;
}
