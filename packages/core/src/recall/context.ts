/**
 * Shares of a memory's terms that count for the memories stored after it and before it in the same session or
 * conversation and the same space, the nearest first: an answer seldom names what the question before it named.
 * Memories about the same file in other sessions lend nothing: it moved no figure (`e2e/eval/README.md`).
 */
export const LENT_BY_BEFORE = [0.5, 0.3, 0.2] as const;
export const LENT_BY_AFTER = [0.3] as const;

/** A longer text says for itself what it is about: it borrows the less, the more words it has. */
const SHORT = 40;

/** Share of what a memory of so many words says that it lends: a long one lends as much as a short one, and no more. */
export const lentBy = (words: number): number => Math.min(1, SHORT / Math.max(1, words));

/** Share of what is lent that a memory of so many words takes. */
export const borrowedBy = (words: number): number => Math.min(1, (SHORT / Math.max(1, words)) ** 2);
