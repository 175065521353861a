import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import wabt from "wabt";
import { Arena } from "../arena.ts";
import { type Kernel, openKernel, type Scan } from "./kernel.ts";
import { plainKernel } from "./plain.ts";

const FEATURES = { simd: true, threads: true };
const [QUERY, MASK, COUNTS, FOUND, ASKED, ROWS] = [0, 4096, 8192, 65_536, 131_072, 262_144];

describe("the kernel", () => {
  it("is assembled from the text beside it", async () => {
    const assembler = await wabt();
    const module = assembler.parseWat(
      "kernel.wat",
      readFileSync(new URL("kernel.wat", import.meta.url), "utf8"),
      FEATURES,
    );
    const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
    await expect(
      `// Written by \`vitest run -u\` from kernel.wat.\nexport const KERNEL_WASM =\n  "${base64}";\n`,
    ).toMatchFileSnapshot("assembled.ts");
  });

  const arena = Arena.create();
  arena.allocate(1 << 24);
  const kernels: Readonly<Record<string, Kernel>> = {
    "in WebAssembly": openKernel(arena),
    "in plain JavaScript": plainKernel(arena.bytes),
  };

  it("is WebAssembly here", () => {
    expect(kernels["in WebAssembly"]?.scan.toString()).toContain("native code");
  });

  describe.each(Object.entries(kernels))("the scan %s", (_, { scan }) => {
    // 16,384 bits: past the 3,968 at which a lane of eight bits overflows.
    it.each([16, 48, 128, 496, 512, 2048])("counts the bits in which rows of %i bytes differ", (bytes) => {
      const { rows, query } = fill(bytes, 64);
      const found = run(scan, bytes, 64, 8 * bytes, (slot) => slot % 3 !== 1);
      const expected = rows.map((row, slot) => [slot, differing(row, query)]).filter(([slot = 0]) => slot % 3 !== 1);
      expect(found).toEqual(expected);
    });

    it("leaves out what is farther than asked, and counts what is not at its distance", () => {
      const { rows, query } = fill(128, 96);
      const distances = rows.map((row) => differing(row, query));
      const within = distances.toSorted((a, b) => a - b)[40] ?? 0;
      const found = run(scan, 128, 96, within, () => true);
      expect(found).toEqual([...distances.entries()].filter(([, distance]) => distance <= within));
      const counted = [...new Int32Array(arena.bytes(), COUNTS, 1025).entries()].filter(([, count]) => count > 0);
      const expected = new Map<number, number>();
      for (const [, distance = 0] of found) expected.set(distance, (expected.get(distance) ?? 0) + 1);
      expect(counted).toEqual([...expected].sort(([a], [b]) => a - b));
    });

    it("finds nothing behind an empty mask, and tells opposite from same", () => {
      fill(512, 32);
      expect(run(scan, 512, 32, 4096, () => false)).toEqual([]);
      new Uint8Array(arena.bytes(), QUERY, 512).fill(0);
      new Uint8Array(arena.bytes(), ROWS, 512).fill(0);
      new Uint8Array(arena.bytes(), ROWS + 512, 512).fill(0xff);
      expect(run(scan, 512, 32, 4096, (slot) => slot < 2)).toEqual([
        [0, 0],
        [1, 4096],
      ]);
    });
  });

  describe.each(Object.entries(kernels))("the dot product %s", (_, { dot }) => {
    it.each([16, 48, 1024, 32_768])("sums up %i numbers", (length) => {
      const { rows, query } = fill(length, 3);
      const asked = query.map((byte) => 16 * byte - 2040);
      new Int16Array(arena.bytes(), ASKED, length).set(asked);
      for (const [slot, row] of rows.entries()) {
        const expected = row.reduce((sum, byte, i) => sum + ((byte << 24) >> 24) * (asked[i] ?? 0), 0);
        expect(dot(ASKED, ROWS + slot * length, length) / expected).toBeCloseTo(1, 4);
      }
    });

    it("does not overflow, however long and alike they are", () => {
      new Int16Array(arena.bytes(), ASKED, 32_768).fill(-2047);
      new Int8Array(arena.bytes(), ROWS, 32_768).fill(127);
      expect(dot(ASKED, ROWS, 32_768) / (-2047 * 127 * 32_768)).toBeCloseTo(1, 5);
    });
  });

  /** The same bytes each time. */
  function fill(bytes: number, slots: number): { readonly rows: number[][]; readonly query: number[] } {
    let seed = bytes;
    const next = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 24;
    };
    const some = (offset: number) => {
      const row = Array.from({ length: bytes }, next);
      new Uint8Array(arena.bytes(), offset, bytes).set(row);
      return row;
    };
    return { query: some(QUERY), rows: Array.from({ length: slots }, (_, slot) => some(ROWS + slot * bytes)) };
  }

  function run(scan: Scan, bytes: number, slots: number, within: number, isAsked: (slot: number) => boolean) {
    new Int32Array(arena.bytes(), COUNTS, 14_000).fill(0);
    const mask = new Uint8Array(arena.bytes(), MASK, slots / 8).fill(0);
    for (let slot = 0; slot < slots; slot++)
      if (isAsked(slot)) mask[slot >> 3] = (mask[slot >> 3] ?? 0) | (1 << (slot & 7));
    const count = scan(QUERY, ROWS, MASK, slots, bytes, within, FOUND, COUNTS);
    const found = new Int32Array(arena.bytes(), FOUND, 2 * count);
    return Array.from({ length: count }, (_, i) => [found[2 * i], found[2 * i + 1]] as [number, number]);
  }
});

function differing(a: readonly number[], b: readonly number[]): number {
  const bits = (byte: number) => byte.toString(2).replaceAll("0", "").length;
  return a.reduce((sum, byte, i) => sum + bits(byte ^ (b[i] ?? 0)), 0);
}
