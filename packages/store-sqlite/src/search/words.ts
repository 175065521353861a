import type { Filter, Hit, Query, Space } from "@chest/core";
import type { Connection } from "../connection.ts";
import { scopeTokens } from "../scope.ts";
import { condition, isNarrow } from "./condition.ts";
import type { Holders } from "./holders.ts";
import type { TermCounts } from "./term-counts.ts";
import { chooseTerms, matchExpression, type Term } from "./terms.ts";
import { type Scored, scoreRows } from "./text-rows.ts";

// Past 64 spaces the text index is no longer asked for them.
const MAX_SCOPE_TOKENS = 64;
/** Index entries to walk for candidates: a millisecond for ten thousand; within a scope most are skipped. */
const WALK = { wide: 60_000, scoped: 300_000 };
/** Candidates looked at beyond those asked for, since what a row holds says only roughly where it will stand. */
const SPARE = 100;
/** A group of rows that hold the same is ranked by the index itself: fetching so many texts would cost more. */
const TOO_ALIKE = 1500;

export interface WordIndex {
  readonly connection: Connection;
  readonly counts: TermCounts;
  readonly holders: Holders;
}

/** Rows holding any of the terms, best first by BM25 over title, tags, words and grams. */
export function matchWords(
  { connection, counts, holders }: WordIndex,
  query: Pick<Query, "words" | "grams">,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Hit[] {
  const terms = chooseTerms(counts, query);
  if (terms.length === 0 || spaces.length === 0) return [];
  const scope = worthwhileScope(counts, scopeTokens(spaces, where), terms);
  const isChecked = scope !== undefined && !isNarrow(where);
  const found: Scored[] = [];
  for (const group of holders.of(terms, scope, limit + SPARE, scope ? WALK.scoped : WALK.wide)) {
    if (group.length > TOO_ALIKE + limit)
      return rankedByIndex(connection, matchExpression(terms, scope), where, spaces, limit);
    found.push(...scoreRows(connection, isChecked ? group : passing(connection, group, where, spaces), terms));
    if (found.length >= limit) break;
  }
  return found
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map((row, at) => ({ ...row, rank: at + 1 }));
}

/** The spaces as tokens, when asking the index for them costs less than checking the rows that hold the terms. */
function worthwhileScope(
  counts: TermCounts,
  tokens: readonly string[],
  terms: readonly Term[],
): readonly string[] | undefined {
  if (tokens.length > MAX_SCOPE_TOKENS) return undefined;
  const inScope = tokens.reduce((sum, token) => sum + counts.of(token), 0);
  return inScope <= terms.reduce((sum, { count }) => sum + count, 0) ? tokens : undefined;
}

function passing(
  connection: Connection,
  ids: readonly number[],
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
): number[] {
  const { sql, values } = condition(where, spaces);
  return connection.ids(
    `SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) AND ${sql}`,
    JSON.stringify(ids),
    ...values,
  );
}

/** The index's own ranking, walked best first until enough rows pass. */
function rankedByIndex(
  connection: Connection,
  match: string,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Hit[] {
  const { sql, values } = condition(where, spaces);
  const statement = `SELECT f.rowid AS id, -f.rank AS score FROM memory_fts f CROSS JOIN memories m ON m.id = f.rowid
    WHERE f.memory_fts MATCH ? AND ${sql} ORDER BY f.rank LIMIT ?`;
  const rows = connection.all<Scored>(statement, match, ...values, limit);
  return rows.map((row, at) => ({ ...row, rank: at + 1 }));
}
