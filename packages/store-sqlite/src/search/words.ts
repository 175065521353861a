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
/** Index entries to walk for candidates: a millisecond for ten thousand. */
const WALK = 60_000;
/** Candidates looked at beyond those asked for, since what a row holds says only roughly where it will stand. */
const SPARE = 100;
/** A group of rows that hold the same is ranked by the index itself: fetching so many texts would cost more. */
const TOO_ALIKE = 1500;

export interface WordIndex {
  readonly connection: Connection;
  readonly counts: TermCounts;
  readonly holders: Holders;
}

/** What a search is about: terms, and what a row must be to count. */
interface Search extends WordIndex {
  readonly terms: readonly Term[];
  readonly where: Omit<Filter, "reach">;
  readonly spaces: readonly Space[];
  readonly limit: number;
}

/** Rows holding any of the terms, best first by BM25 over title, tags, words and grams. */
export function matchWords(
  index: WordIndex,
  query: Pick<Query, "words" | "grams">,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Hit[] {
  const terms = chooseTerms(index.counts, query);
  if (terms.length === 0 || spaces.length === 0) return [];
  const search = { ...index, terms, where, spaces, limit };
  const scope = worthwhileScope(index.counts, scopeTokens(spaces, where), terms);
  const found = scope ? withinScope(search, scope) : (amongHolders(search) ?? overEverything(search, undefined));
  return found.map((row, at) => ({ ...row, rank: at + 1 }));
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

/** Few rows are in scope: the index ranks them all. */
function withinScope(search: Search, scope: readonly string[]): readonly Scored[] {
  if (isNarrow(search.where)) return overEverything(search, scope);
  return ranked(search.connection, matchExpression(search.terms, scope), search.limit);
}

/** The heaviest holders of the terms, ranked by their own texts; undefined when too many hold the same. */
function amongHolders({
  connection,
  counts,
  holders,
  terms,
  where,
  spaces,
  limit,
}: Search): readonly Scored[] | undefined {
  const found: Scored[] = [];
  for (const group of holders.of(terms, limit + SPARE, WALK)) {
    if (group.length > TOO_ALIKE + limit) return undefined;
    found.push(...scoreRows(connection, passing(connection, group, where, spaces), terms, counts.usualChars()));
    if (found.length >= limit) break;
  }
  return found.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
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

/** The index's own ranking. Mostly the best of all pass the filter; where they do not, it is walked until enough do. */
function overEverything(
  { connection, terms, where, spaces, limit }: Search,
  scope: readonly string[] | undefined,
): readonly Scored[] {
  const match = matchExpression(terms, scope);
  const best = ranked(connection, match, 2 * limit);
  const ids = best.map(({ id }) => id);
  const pass = new Set(passing(connection, ids, where, spaces));
  if (pass.size >= limit || best.length < 2 * limit) return best.filter(({ id }) => pass.has(id)).slice(0, limit);
  const { sql, values } = condition(where, spaces);
  const statement = `SELECT f.rowid AS id, -f.rank AS score FROM memory_fts f CROSS JOIN memories m ON m.id = f.rowid
    WHERE f.memory_fts MATCH ? AND ${sql} ORDER BY f.rank LIMIT ?`;
  return connection.all<Scored>(statement, match, ...values, limit);
}

const RANKED = `SELECT rowid AS id, -bm25(memory_fts, 0, 2, 1.5, 1, 0.5) AS score FROM memory_fts
  WHERE memory_fts MATCH ? ORDER BY score DESC, id LIMIT ?`;

const ranked = (connection: Connection, match: string, limit: number): readonly Scored[] =>
  connection.all<Scored>(RANKED, match, limit);
