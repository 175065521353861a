import type { Arena } from "../arena.ts";
import { KERNEL_WASM } from "./assembled.ts";
import { plainKernel } from "./plain.ts";

/**
 * Compares a query with the bit vectors of a segment. Everything but the counts is a byte offset into shared memory.
 * Writes slot and Hamming distance (two Int32) of every slot whose bit is set in `mask` and whose row is no farther than
 * `within` to `found`, adds one at its distance in `counts`, and gives how many they are.
 * A row takes `bytes`, a multiple of 16, padded with zeros as the query is; `slots` is a multiple of 32.
 */
export type Scan = (
  query: number,
  rows: number,
  mask: number,
  slots: number,
  bytes: number,
  within: number,
  found: number,
  counts: number,
) => number;

/**
 * The dot product of a query, an Int16 of up to ±2047 a number, and a row, an Int8 a number: both by their byte offsets, a
 * row of `bytes`, a multiple of 16, padded with zeros as the query is.
 */
export type Dot = (query: number, row: number, bytes: number) => number;

/** Operations over every row in shared memory. */
export interface Kernel {
  readonly scan: Scan;
  readonly dot: Dot;
}

/** In WebAssembly SIMD, or in plain JavaScript where this Node has neither. */
export function openKernel({ memory, bytes }: Arena): Kernel {
  const wasm = Buffer.from(KERNEL_WASM, "base64");
  if (!memory || !WebAssembly.validate(wasm)) return plainKernel(bytes);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } });
  return { scan: exports.scan as Scan, dot: exports.dot as Dot };
}
