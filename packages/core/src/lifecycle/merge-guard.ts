import { factsOf } from "./facts.ts";
import { isSwapped, negationsIn, polesIn } from "./polarity.ts";

/** What a text asserts, as far as two texts must agree before one may stand for the other. */
export interface Claims {
  readonly facts: readonly string[];
  readonly negations: number;
  readonly poles: readonly number[];
}

export type Conflict = "facts" | "polarity" | "antonyms";

export function claimsOf(text: string): Claims {
  const plain = text.normalize("NFKC");
  return { facts: factsOf(plain), negations: negationsIn(plain), poles: polesIn(plain) };
}

/**
 * Why neither of two near-equal texts may stand for the other; undefined when nothing speaks against it. Neighbours in
 * meaning are not the same: "enabled" and "disabled", five and ten minutes lie side by side.
 */
export function conflictOf(a: Claims, b: Claims): Conflict | undefined {
  if (a.facts.length !== b.facts.length || a.facts.some((fact, at) => fact !== b.facts[at])) return "facts";
  if (a.negations !== b.negations) return "polarity";
  return isSwapped(a.poles, b.poles) ? "antonyms" : undefined;
}
