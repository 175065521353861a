import { KERNEL_WASM } from "./assembled.ts";
import { plainMultiply } from "./plain.ts";

/**
 * Sums of products of rows and weights. All but the counts are byte offsets into the memory. For each of `count` rows of `depth`
 * Int16, each `step` bytes after the one before, and each of `outputs` rows of `depth` Int8, one Int32, row by row.
 * `outputs` is even and `depth` a multiple of 8; up to three rows behind the last may be read and written.
 */
export type Multiply = (
  rows: number,
  step: number,
  count: number,
  weights: number,
  outputs: number,
  depth: number,
  sums: number,
) => void;

export interface Kernel {
  readonly memory: ArrayBufferLike;
  readonly multiply: Multiply;
}

const PAGE_BYTES = 65_536;

/** A memory of a size and its products: in WebAssembly SIMD, or in plain JavaScript where this Node has neither. */
export function openKernel(bytes: number): Kernel {
  const wasm = Buffer.from(KERNEL_WASM, "base64");
  if (typeof WebAssembly === "undefined" || !WebAssembly.validate(wasm)) {
    const memory = new ArrayBuffer(bytes);
    return { memory, multiply: plainMultiply(memory) };
  }
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } });
  return { memory: memory.buffer, multiply: exports.multiply as Multiply };
}
