/**
 * Of what a memory says, the share that counts for those stored beside it in the same session or conversation, and in
 * the same space: an answer seldom names what the question before it named. Those one further get half of that.
 * Memories about the same file in other sessions lend nothing: it moved no figure (`e2e/eval/README.md`).
 */
export const LENT = 0.2;
export const LENT_FURTHER = 0.1;
