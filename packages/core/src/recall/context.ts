/**
 * Shares of a memory's terms that also count for memories stored after it and before it in the same session and space,
 * the nearest first: an answer seldom repeats the words of the question before it. Memories about the same file in
 * other sessions lend nothing, because that did not improve any measurement (`e2e/eval/README.md`).
 */
export const LENT_BY_BEFORE = [0.5, 0.3, 0.2] as const;
export const LENT_BY_AFTER = [0.3] as const;

/** Texts above this length borrow less, because they name their own subject. */
const SHORT = 40;

/**
 * Factor, by its number of words, for the score that a memory lends to its neighbours: a long memory lends no more in
 * total than a short one.
 */
export const lentBy = (words: number): number => Math.min(1, SHORT / Math.max(1, words));

/** Factor, by its number of words, for the score that a memory borrows from its neighbours. */
export const borrowedBy = (words: number): number => Math.min(1, (SHORT / Math.max(1, words)) ** 2);
