import type { Fused } from "./fuse.ts";

/** Nearness, in spreads of the model, of texts that have nothing to do with each other, and of a question's answer. */
const UNRELATED = 0.3;
const ANSWER = 1;

/**
 * How sure one can be that a row answers the question, 0–1, whatever else is stored: the share of the question that
 * stands in it, rare things counting most, or how near it lies in meaning, whichever is more.
 */
export function confidence({ words, nearness = 0 }: Pick<Fused, "words" | "nearness">): number {
  const said = words?.coverage ?? 0;
  const near = (nearness - UNRELATED) / (ANSWER - UNRELATED);
  return Math.min(1, Math.max(0, said, near));
}
