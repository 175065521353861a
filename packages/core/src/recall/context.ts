/**
 * Of what a memory says, the share that counts for those stored beside it in the same session or conversation, and in
 * the same space: an answer seldom names what the question before it named. Those one further get half of that.
 */
export const LENT = 0.2;
export const LENT_FURTHER = 0.1;
