export type { ExplainedMemory } from "./answer/present.ts";
export { promptRecallInput, recallForPrompt } from "./answer/prompt.ts";
export { borrowedBy, LENT_BY_AFTER, LENT_BY_BEFORE } from "./context.ts";
export { readQuery } from "./query.ts";
export { DEFAULT_RANKING, mayOutrankExact, type Ranking } from "./ranking/ranking.ts";
export type { QueryTerm, Unit } from "./ranking/unit.ts";
export type { RecalledRow } from "./recall-text.ts";
export { until } from "./until.ts";
export { partsOfAkin } from "./words/akin.ts";
export { Bm25, bestScore } from "./words/bm25.ts";
export { countBeside, MOST_READ } from "./words/common-terms.ts";
export { FIELD_WEIGHTS, keyOf, packed } from "./words/field-weights.ts";
export { wholeRows } from "./words/full-matches.ts";
export { Neighbourhood } from "./words/neighbour-context.ts";
export {
  akinIn,
  boundOf,
  type Counting,
  grown,
  MOST_AKIN_ROWS,
  MOST_LOOKED_THROUGH,
  type NeighbourLinks,
  type RankedIndex,
  type RankedRows,
  type ScopePart,
  type TermRows,
  UnpackedRows,
} from "./words/ranked-index.ts";
export { type Choice, choicesOf } from "./words/terms.ts";
export { frequenciesOf, type Holders, type TextRow, tokensIn } from "./words/text-row.ts";
export { heaviestFirst } from "./words/top-k.ts";
export { Stretches } from "./yield-turn.ts";
