import { factsOf } from "./facts.ts";
import { isSwapped, negationsIn, polesIn } from "./polarity.ts";

export type Contradiction = "polarity" | "antonyms";
export type Conflict = "facts" | Contradiction;

/**
 * Why neither of two near-equal texts may stand for the other; undefined when nothing speaks against it. Neighbours in
 * meaning are not the same: "enabled" and "disabled", five and ten minutes lie side by side.
 */
export function conflictOf(a: string, b: string): Conflict | undefined {
  return haveSameFacts(a, b) ? contradictionOf(a, b) : "facts";
}

/** Do two texts name the same numbers, names and places: all that is no ordinary word. */
export function haveSameFacts(a: string, b: string): boolean {
  const [facts, others] = [factsOf(a), factsOf(b)];
  return facts.length === others.length && facts.every((fact, at) => fact === others[at]);
}

/** The way in which one text denies the other, if it does, even if they also differ in names. */
export function contradictionOf(a: string, b: string): Contradiction | undefined {
  const [one, other] = [a.normalize("NFKC"), b.normalize("NFKC")];
  if (negationsIn(one) !== negationsIn(other)) return "polarity";
  return isSwapped(polesIn(one), polesIn(other)) ? "antonyms" : undefined;
}
