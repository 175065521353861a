import { samenessOf } from "../../statements/same.ts";
import type { Candidate } from "../candidates.ts";
import { Stretches } from "../yield-turn.ts";

/** Number of following rows to compare: rows that say the same rank near each other. */
const AHEAD = 48;

/**
 * Takes the first of a list together with later ones that say the same, which are named with it but not shown. Comparing
 * fifty texts of 8,000 characters takes a tenth of a second, so others go on in between.
 */
export async function takeOnce(waiting: Candidate[], stretches = new Stretches()): Promise<Candidate | undefined> {
  const first = waiting.shift();
  if (!first) return undefined;
  const same: number[] = [];
  for (let at = Math.min(waiting.length, AHEAD) - 1; at >= 0; at--) {
    if (stretches.isOver) await stretches.next();
    const other = waiting[at] as Candidate;
    if (!samenessOf(first.memory, other.memory)) continue;
    same.unshift(other.memory.id);
    waiting.splice(at, 1);
  }
  return same.length > 0 ? { ...first, same } : first;
}

/** Removes repeated statements from a list. */
export async function eachOnce(ordered: readonly Candidate[]): Promise<Candidate[]> {
  const waiting = [...ordered];
  const stretches = new Stretches();
  const once: Candidate[] = [];
  for (;;) {
    const first = await takeOnce(waiting, stretches);
    if (!first) break;
    once.push(first);
  }
  return once;
}

/** Number of memories that these represent, including themselves. */
export const standingFor = (candidates: readonly Pick<Candidate, "same">[]): number =>
  candidates.reduce((count, { same = [] }) => count + 1 + same.length, 0);
