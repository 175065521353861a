import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import wabt from "wabt";
import { openKernel } from "./kernel.ts";
import { plainMultiply } from "./plain.ts";

const FEATURES = { simd: true };
const [ROWS, WEIGHTS, SUMS, BYTES] = [0, 131_072, 262_144, 524_288];

describe("the kernel of the sentence model", () => {
  it("is assembled from the text beside it", async () => {
    const assembler = await wabt();
    const text = readFileSync(new URL("kernel.wat", import.meta.url), "utf8");
    const base64 = Buffer.from(assembler.parseWat("kernel.wat", text, FEATURES).toBinary({}).buffer).toString("base64");
    await expect(
      `// Written by \`vitest run -u\` from kernel.wat.\nexport const KERNEL_WASM =\n  "${base64}";\n`,
    ).toMatchFileSnapshot("assembled.ts");
  });

  it("is WebAssembly here", () => {
    expect(openKernel(BYTES).multiply.toString()).toContain("native code");
  });

  it.each([
    { count: 1, outputs: 2, depth: 8, step: 16 },
    { count: 7, outputs: 6, depth: 320, step: 640 },
    // A window of five tokens: rows overlap.
    { count: 13, outputs: 4, depth: 1280, step: 512 },
  ])("sums as plain JavaScript does: %o", ({ count, outputs, depth, step }) => {
    const { memory, multiply } = openKernel(BYTES);
    const numbers = new Int16Array(memory, ROWS, (WEIGHTS - ROWS) / 2);
    const weights = new Int8Array(memory, WEIGHTS, SUMS - WEIGHTS);
    // The largest sums there can be: 1,280 times 8,191 times 127 is just within 32 bits.
    for (let at = 0; at < numbers.length; at++) numbers[at] = at % 3 === 0 ? -8191 : 8191 - (at % 97);
    for (let at = 0; at < weights.length; at++) weights[at] = at % 5 === 0 ? -127 : 127 - (at % 31);
    const sums = (run: typeof multiply) => {
      run(ROWS, step, count, WEIGHTS, outputs, depth, SUMS);
      return [...new Int32Array(memory, SUMS, count * outputs)];
    };
    const fast = sums(multiply);
    new Int32Array(memory, SUMS, count * outputs).fill(0);
    expect(fast).toEqual(sums(plainMultiply(memory)));
    expect(fast.some((sum) => Math.abs(sum) > depth * 8191 * 10)).toBe(true);
  });
});
