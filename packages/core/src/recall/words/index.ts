export { Bm25, bestScore, type WeighedFields } from "./bm25.ts";
export { countBeside, MOST_READ } from "./common-terms.ts";
export { FIELD_WEIGHTS, keyOf, packed } from "./field-weights.ts";
export { wholeRows } from "./full-matches.ts";
export { lendersOf, Neighbourhood } from "./neighbour-context.ts";
export * from "./ranked-index.ts";
export { type Choice, choicesOf } from "./terms.ts";
export * from "./text-row.ts";
export { heaviestFirst } from "./top-k.ts";
