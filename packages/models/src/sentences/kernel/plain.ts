import type { Multiply } from "./kernel.ts";

/** `kernel.wat` in JavaScript, for a Node without WebAssembly or SIMD: ten times as slow, and the same sums. */
export function plainMultiply(memory: ArrayBufferLike): Multiply {
  const rows16 = new Int16Array(memory);
  const rows8 = new Int8Array(memory);
  const sums32 = new Int32Array(memory);
  return (rows, step, count, weights, outputs, depth, sums) => {
    for (let row = 0; row < count; row++) {
      const from = (rows + row * step) >> 1;
      for (let output = 0; output < outputs; output++) {
        const against = weights + output * depth;
        let sum = 0;
        for (let at = 0; at < depth; at++) sum += (rows16[from + at] as number) * (rows8[against + at] as number);
        sums32[(sums >> 2) + row * outputs + output] = sum;
      }
    }
  };
}
