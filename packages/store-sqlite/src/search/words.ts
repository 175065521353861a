import type { Filter, Space, Unit } from "@chest/core";
import type { Connection } from "../connection.ts";
import { scopeTokens } from "../scope.ts";
import type { Bm25 } from "./bm25.ts";
import { condition, isNarrow } from "./condition.ts";
import { heaviestFirst } from "./heaviest.ts";
import { chooseTerms } from "./terms.ts";
import type { WordIndex } from "./word-index.ts";

/** What a search thread keeps to answer by words. */
export interface WordSearch {
  readonly connection: Connection;
  readonly index: WordIndex;
  readonly ranking: Bm25;
}

/** A ranked list, best first: as arrays it crosses from a thread in no time. */
export interface RankedRows {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
  /** Of what was asked for, the share that each row says, 0–1. */
  readonly coverages: Float32Array;
  /** How much of that share is lent by the rows beside it. */
  readonly lent: Float32Array;
}

/** Rows in these spaces that hold any of the terms and pass the filter, best first by BM25F. */
export function matchWords(
  { connection, index, ranking }: WordSearch,
  units: readonly Unit[],
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): RankedRows {
  index.catchUp();
  const choice = chooseTerms(index, units);
  const { ids: rows, scores, said, lentTo } = ranking.weigh(index, choice, scopeTokens(spaces, where));
  const found: number[] = [];
  for (const group of heaviestFirst(rows, scores, limit)) {
    found.push(...(isNarrow(where) ? passing(connection, group, where, spaces) : group));
    if (found.length >= limit) break;
  }
  const ids = Uint32Array.from(found.slice(0, limit));
  return {
    ids,
    scores: Float32Array.from(ids, (id) => scores[id] ?? 0),
    coverages: Float32Array.from(ids, (id) => Math.min(1, (said[id] ?? 0) / choice.wholeWeight)),
    lent: Float32Array.from(ids, (id) => Math.min(1, lentTo(id) / choice.wholeWeight)),
  };
}

/** Those that pass the filter, in the order given. */
function passing(
  connection: Connection,
  ids: readonly number[],
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
): number[] {
  const { sql, values } = condition(where, spaces);
  const pass = new Set(
    connection.ids(
      `SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) AND ${sql}`,
      JSON.stringify(ids),
      ...values,
    ),
  );
  return ids.filter((id) => pass.has(id));
}
