import { Arena } from "../vector-index/arena.ts";
import { bytesOf } from "../vector-index/bits.ts";
import { openKernel } from "../vector-index/kernel/kernel.ts";
import { SLOTS } from "../vector-index/segment.ts";

/** Only the scan, over rows without meaning: the lower bound of any search over as many rows. */
export function openBareScan(rows: number, dimensions: number): () => void {
  const arena = Arena.create();
  const bytes = bytesOf(dimensions);
  const slots = 32 * Math.ceil(rows / 32);
  const [query, mask, found] = [bytes, SLOTS / 8, 8 * SLOTS].map((size) => arena.allocate(size)) as [
    number,
    number,
    number,
  ];
  const counts = arena.allocate(4 * (8 * bytes + 1));
  const bits = arena.allocate(slots * bytes);
  const words = new Uint32Array(arena.bytes(), bits, (slots * bytes) / 4);
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i, 0x9e3779b1);
  new Uint32Array(arena.bytes(), mask, SLOTS / 32).fill(0xffffffff);
  const { scan } = openKernel(arena);
  return () => {
    for (let first = 0; first < slots; first += SLOTS) {
      // With a query of zeros, no row is near enough to be recorded.
      scan(query, bits + first * bytes, mask, Math.min(SLOTS, slots - first), bytes, 0, found, counts);
    }
  };
}
