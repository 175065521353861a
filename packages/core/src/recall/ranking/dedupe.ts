import type { Candidate } from "../candidates.ts";
import { samenessOf } from "./same.ts";

/** Rows compared ahead: rows that say the same are found by the same questions, and lie near each other. */
const AHEAD = 48;

/** Takes the first of a list, and with it those after it that say the same: they are named with it, and not shown. */
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

/** Each thing of a list once. */
export function eachOnce(ordered: readonly Candidate[]): Candidate[] {
  const waiting = [...ordered];
  const once: Candidate[] = [];
  for (let first = takeOnce(waiting); first; first = takeOnce(waiting)) once.push(first);
  return once;
}

/** How many memories these stand for, themselves included. */
export const standingFor = (candidates: readonly Pick<Candidate, "same">[]): number =>
  candidates.reduce((count, { same = [] }) => count + 1 + same.length, 0);
