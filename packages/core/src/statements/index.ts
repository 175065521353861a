export { contradiction } from "./contradiction.ts";
export { type FingerprintRow, Fingerprints, MOST_FINGERPRINTS, placedFor } from "./fingerprints.ts";
export { type Comparable, groupsIn, type NearPair, nearPairs, withoutSettled } from "./near-pairs.ts";
export { samenessOf, wordsIn } from "./same.ts";
export { type Mark, marksLike, marksOf, statementsIn, WHOLE, withoutForgotten } from "./tombstone.ts";
