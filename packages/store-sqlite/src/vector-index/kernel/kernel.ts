import type { Arena } from "../arena.ts";
import { SCAN_WASM } from "./assembled.ts";
import { plainScan } from "./plain.ts";

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

/** The scan in WebAssembly SIMD, or in plain JavaScript where this Node has neither. */
export function openScan({ memory, bytes }: Arena): Scan {
  const wasm = Buffer.from(SCAN_WASM, "base64");
  if (!memory || !WebAssembly.validate(wasm)) return plainScan(bytes);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } });
  return exports.scan as Scan;
}
