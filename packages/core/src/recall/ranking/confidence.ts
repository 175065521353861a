import type { WordHit } from "../../ports/search.ts";

/**
 * Confidence that a row answers the question, 0–1, independent of other rows: the share of the question that stands in
 * it, weighted by rarity, and its nearness in meaning. Either is enough, both raise it further, and distance in meaning
 * lowers it.
 */
export function confidence({ words, meant = 0 }: MeasuredRow): number {
  const said = Math.min(1, Math.max(0, words?.coverage ?? 0));
  return meant < 0 ? Math.max(0, said + meant) : 1 - (1 - said) * (1 - meant);
}

/** Part of a fused row that says how well it answers. */
interface MeasuredRow {
  readonly words?: WordHit | undefined;
  readonly meant?: number | undefined;
}
