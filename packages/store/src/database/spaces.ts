import type { Reach, Space } from "@chest/core";

/** Spaces that a reach opens to the caller. */
export type SpacesIn = (reach: Reach) => Promise<readonly Space[]>;

// A list of spaces keeps its identity while nothing changes: see `Places`.
const sets = new WeakMap<readonly Space[], ReadonlySet<Space>>();

/** Spaces as a set: rows that are named by id are filtered by it, since a long list in a statement is parsed for each. */
export function setOf(spaces: readonly Space[]): ReadonlySet<Space> {
  const known = sets.get(spaces);
  if (known) return known;
  const set = new Set(spaces);
  sets.set(spaces, set);
  return set;
}
