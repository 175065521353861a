import type { Reach, Space } from "@chest/core/access";

/** Spaces of a reach that the caller may open. */
export type SpacesIn = (reach: Reach) => Promise<readonly Space[]>;

// A list of spaces is the same object until the projects change: see `Places`.
const sets = new WeakMap<readonly Space[], ReadonlySet<Space>>();

/** Spaces as a set, to filter rows by id in code: a long list in a statement would be parsed for each row. */
export function setOf(spaces: readonly Space[]): ReadonlySet<Space> {
  const known = sets.get(spaces);
  if (known) return known;
  const set = new Set(spaces);
  sets.set(spaces, set);
  return set;
}
