import type { Space } from "@chest/core/access";
import { LAYERS } from "@chest/core/memory";
import type { Filter } from "@chest/core/ports";
import { KINDS, kindOf, RUN, type Segment, spaceNumber } from "./segment.ts";

/** Conditions that a vector's memory must meet to be compared. */
export interface Selection {
  readonly spaces: readonly Space[];
  readonly where: Pick<Filter, "layers" | "withArchived" | "withSuperseded">;
  /** Entities that the filter selects; undefined for all. */
  readonly entityIds: ReadonlySet<number> | undefined;
  readonly memoryIds: ReadonlySet<number> | undefined;
}

/** Sets the bits of matching slots in a mask, writing every word, and returns their number. */
export type Marker = (segment: Segment, slots: number, mask: Uint32Array) => number;

export function marker({ spaces, where, entityIds, memoryIds }: Selection): Marker {
  const asked = new Set(spaces.map(spaceNumber));
  const isKind = kindsOf(where);
  const isEntity = entityIds && new Set([...entityIds].map((id) => id >>> 0)); // As the column keeps them.
  const isNarrow = isEntity !== undefined || memoryIds !== undefined;
  return (segment, slots, mask) => {
    const { spaces, runs, kinds, entities, ids } = segment;
    let count = 0;
    let [space, isSpace] = [Number.NaN, 0];
    for (let first = 0; first < slots; first += RUN) {
      const run = runs[first / RUN] as number;
      if (!Number.isNaN(run) && !asked.has(run - 1)) {
        mask[first / RUN] = 0;
        continue;
      }
      const end = Math.min(RUN, slots - first);
      let word = 0;
      for (let bit = 0; bit < end; bit++) {
        const slot = first + bit;
        if (spaces[slot] !== space) {
          space = spaces[slot] as number;
          isSpace = Number(asked.has(space));
        }
        const passes = (isKind[kinds[slot] as number] as number) & isSpace;
        word |= passes << bit;
        count += passes;
      }
      if (isNarrow && word !== 0) {
        for (let bit = 0; bit < end; bit++) {
          if ((word & (1 << bit)) === 0) continue;
          if (
            isEntity?.has(entities[first + bit] as number) === false ||
            memoryIds?.has(ids[first + bit] as number) === false
          ) {
            word &= ~(1 << bit);
            count -= 1;
          }
        }
      }
      mask[first / RUN] = word;
    }
    return count;
  };
}

export function kindsOf({ layers = LAYERS, withArchived, withSuperseded }: Selection["where"]): Uint8Array {
  const kinds = new Uint8Array(KINDS);
  for (const layer of layers) {
    kinds[kindOf("live", layer)] = 1;
    if (withArchived) kinds[kindOf("archived", layer)] = 1;
    if (withSuperseded) kinds[kindOf("superseded", layer)] = 1;
  }
  return kinds;
}
