import type { Fused } from "./fuse.ts";

/** Cosines of texts that have nothing to do with each other, and of texts that say the same. */
const UNRELATED = 0.55;
const SAME = 0.85;

/**
 * How sure one can be that a row answers the question, 0–1, whatever else is stored: the share of the question that
 * stands in it, rare things counting most, or how near it lies in meaning, whichever is more. An engine that does not
 * say how much of the question a row holds is not doubted.
 */
export function confidence({ words, vector }: Pick<Fused, "words" | "vector">): number {
  const said = words ? (words.coverage ?? 1) : 0;
  const near = vector ? (vector.score - UNRELATED) / (SAME - UNRELATED) : 0;
  return Math.min(1, Math.max(0, said, near));
}
