import { expect, it } from "vitest";
import { ScanResults } from "./scan-results.ts";
import type { Segment } from "./segment.ts";

const MOST = 90_003;
/** The later a slot, the smaller its id. */
const ids = Float64Array.from({ length: MOST }, (_, slot) => MOST - slot);
const SEGMENTS = [0, 1, 2].map((rows) => ({ rows, ids })) as unknown as Segment[];
const FARTHEST = 40;

interface One {
  readonly segment: number;
  readonly slot: number;
  readonly distance: number;
}

/** The same each time; as many again in every turn. */
function some(count: number): One[] {
  let seed = count;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  return Array.from({ length: count }, (_, i) => ({
    segment: Math.floor((3 * i) / count),
    slot: i,
    distance: next(FARTHEST + 1),
  }));
}

function fill(found: ScanResults, all: readonly One[]): void {
  found.clear();
  for (const [nth, segment] of SEGMENTS.entries()) {
    const own = all.filter((one) => one.segment === nth);
    const [first] = own;
    if (!first) continue;
    found.begin(segment);
    const scanned = own.flatMap(({ slot, distance }) => [slot - first.slot, distance]);
    found.add(first.slot, Int32Array.from(scanned), own.length);
  }
}

it.each([
  [9, 5, FARTHEST],
  [9, 500, FARTHEST],
  [3000, 300, FARTHEST],
  [3000, 300, 7],
  [90_000, 750, 0],
  [90_000, 80_000, 31],
])(
  "of %i found, the nearest %i within %3$i are those that sorting puts first, of equals the smallest ids",
  (count, most, within) => {
    const found = new ScanResults();
    for (const all of [some(count), some(count + 3)]) {
      fill(found, all);
      const { segments, pairs } = found.nearest(within, most);
      const expected = all
        .filter(({ distance }) => distance <= within)
        .sort((a, b) => a.distance - b.distance || b.slot - a.slot)
        .slice(0, most);
      const distances = new Map(all.map(({ slot, distance }) => [slot, distance]));
      const slots = Array.from({ length: pairs.length / 2 }, (_, nth) => pairs[2 * nth + 1] as number);
      expect(slots.map((slot) => distances.get(slot))).toEqual(expected.map(({ distance }) => distance));
      const bySlot = (a: readonly number[], b: readonly number[]) => Number(a[1]) - Number(b[1]);
      const given = slots.map((slot, nth) => [pairs[2 * nth] as number, slot]);
      expect(given.sort(bySlot)).toEqual(expected.map(({ segment, slot }) => [segment, slot]).sort(bySlot));
      expect(segments).toEqual(SEGMENTS);
    }
  },
);

it("finds nothing where nothing was found", () => {
  expect(new ScanResults().nearest(FARTHEST, 10).pairs).toHaveLength(0);
});
