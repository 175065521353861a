import type { Fused } from "./fuse.ts";

/**
 * How sure one can be that a row answers the question, 0–1, whatever else is stored: the share of the question that
 * stands in it, rare things counting most, and how near it lies in meaning. Either is enough, a little of both is more, and to be far in meaning is less.
 */
export function confidence({ words, meant = 0 }: Pick<Fused, "words" | "meant">): number {
  const said = Math.min(1, Math.max(0, words?.coverage ?? 0));
  return meant < 0 ? Math.max(0, said + meant) : 1 - (1 - said) * (1 - meant);
}
