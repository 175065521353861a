import { expect, it } from "vitest";
import { Found } from "./found.ts";
import type { Segment } from "./segment.ts";

const SEGMENTS = [{ rows: 0 }, { rows: 1 }, { rows: 2 }] as unknown as Segment[];
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

function fill(found: Found, all: readonly One[]): void {
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
  "of %i found, the nearest %i within %3$i come in the order in which sorting would put them",
  (count, most, within) => {
    const found = new Found();
    for (const all of [some(count), some(count + 3)]) {
      fill(found, all);
      const { segments, pairs } = found.nearest(within, most);
      const expected = all
        .filter(({ distance }) => distance <= within)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, most);
      expect([...pairs]).toEqual(expected.flatMap(({ segment, slot }) => [segment, slot]));
      expect(segments).toEqual(SEGMENTS);
    }
  },
);

it("finds nothing where nothing was found", () => {
  expect(new Found().nearest(FARTHEST, 10).pairs).toHaveLength(0);
});
