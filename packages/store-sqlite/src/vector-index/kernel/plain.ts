import type { Dot, Kernel, Scan } from "./kernel.ts";

/** `kernel.wat` in JavaScript, for a Node without WebAssembly or SIMD: ten times as slow, and the same answers. */
export const plainKernel = (bytes: () => SharedArrayBuffer): Kernel => ({
  scan: plainScan(bytes),
  dot: plainDot(bytes),
});

function plainScan(bytes: () => SharedArrayBuffer): Scan {
  return (query, rows, mask, slots, rowBytes, within, found, counts) => {
    const memory = new Int32Array(bytes());
    const words = rowBytes >> 2;
    let count = 0;
    for (let first = 0; first < slots; first += 32) {
      for (let word = at(memory, (mask >> 2) + (first >> 5)); word !== 0; word &= word - 1) {
        const slot = first + 31 - Math.clz32(word & -word);
        const distance = hamming(memory, query >>> 2, (rows + slot * rowBytes) / 4, words);
        if (distance > within) continue;
        memory[(found >>> 2) + 2 * count] = slot;
        memory[(found >>> 2) + 2 * count + 1] = distance;
        memory[(counts >>> 2) + distance] = at(memory, (counts >>> 2) + distance) + 1;
        count += 1;
      }
    }
    return count;
  };
}

const plainDot =
  (bytes: () => SharedArrayBuffer): Dot =>
  (query, row, length) => {
    const asked = new Int16Array(bytes(), query, length);
    const numbers = new Int8Array(bytes(), row, length);
    let sum = 0;
    for (let i = 0; i < length; i++) sum += (asked[i] as number) * (numbers[i] as number);
    return sum;
  };

function hamming(memory: Int32Array, a: number, b: number, words: number): number {
  let sum = 0;
  for (let i = 0; i < words; i++) sum += ones(at(memory, a + i) ^ at(memory, b + i));
  return sum;
}

/** Bits that are set in 32, counted in pairs, fours and bytes at once. */
function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const at = (memory: Int32Array, index: number): number => memory[index] as number;
