import { samenessOf } from "../../statements/same.ts";
import type { Candidate } from "../candidates.ts";

/** Number of following rows to compare: rows that say the same rank near each other. */
const AHEAD = 48;

/** Takes the first of a list together with later ones that say the same, which are named with it but not shown. */
export function takeOnce(waiting: Candidate[]): Candidate | undefined {
  const first = waiting.shift();
  if (!first) return undefined;
  const same: number[] = [];
  for (let at = Math.min(waiting.length, AHEAD) - 1; at >= 0; at--) {
    const other = waiting[at] as Candidate;
    if (!samenessOf(first.memory, other.memory)) continue;
    same.unshift(other.memory.id);
    waiting.splice(at, 1);
  }
  return same.length > 0 ? { ...first, same } : first;
}

/** Removes repeated statements from a list. */
export function eachOnce(ordered: readonly Candidate[]): Candidate[] {
  const waiting = [...ordered];
  const once: Candidate[] = [];
  for (let first = takeOnce(waiting); first; first = takeOnce(waiting)) once.push(first);
  return once;
}

/** Number of memories that these represent, including themselves. */
export const standingFor = (candidates: readonly Pick<Candidate, "same">[]): number =>
  candidates.reduce((count, { same = [] }) => count + 1 + same.length, 0);
