import type { Filter, Hit, Query, Space } from "@chest/core";
import type { Connection } from "../connection.ts";
import { scopeTokens } from "../scope.ts";
import { condition, isNarrow } from "./condition.ts";
import type { TermCounts } from "./term-counts.ts";

const MAX_TERMS = 24;
const KEPT_AT_LEAST = 3;
/** Terms in more than this share of a store are noise, once it holds enough rows to tell. */
const TOO_FREQUENT = 0.2;
const ENOUGH_ROWS = 1000;
// Past 64 spaces the text index is no longer asked for them.
const MAX_SCOPE_TOKENS = 64;
// Looking at this many index entries costs a few milliseconds; rarer terms come first, and mostly suffice.
const FIRST_LOOK = 40_000;
const ENOUGH_HITS = 50;

interface Term {
  readonly text: string;
  readonly columns: string;
  readonly count: number;
}

/** Rows holding any of the terms, best first by BM25 over title, tags, words and grams. */
export function matchWords(
  connection: Connection,
  counts: TermCounts,
  query: Pick<Query, "words" | "grams">,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Hit[] {
  const terms = chooseTerms(counts, query);
  if (terms.length === 0 || spaces.length === 0) return [];
  const tokens = scopeTokens(spaces, where);
  const total = terms.reduce((sum, { count }) => sum + count, 0);
  const isScoped =
    tokens.length <= MAX_SCOPE_TOKENS && tokens.reduce((sum, token) => sum + counts.of(token), 0) <= total;
  const look = (chosen: readonly Term[]) => {
    const found = matchExpression(chosen, isScoped ? tokens : undefined);
    return isScoped && !isNarrow(where)
      ? ranked(connection, found, limit)
      : filtered(connection, found, where, spaces, limit);
  };
  const rarest = withinFirstLook(terms);
  const hits = look(rarest);
  const isEnough = rarest.length === terms.length || hits.length >= Math.min(limit, ENOUGH_HITS);
  return isEnough ? hits : look(terms);
}

/** The rarest first; what nobody wrote and what nearly everybody wrote is left out, unless nothing would remain. */
function chooseTerms(counts: TermCounts, { words, grams }: Pick<Query, "words" | "grams">): Term[] {
  const known = [
    ...words.map((text) => ({ text, columns: "{title tags words}", count: counts.of(text) })),
    ...grams.map((text) => ({ text, columns: "{title tags grams}", count: counts.of(text) })),
  ]
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  const rows = counts.rows();
  const telling = rows < ENOUGH_ROWS ? known : known.filter(({ count }) => count <= TOO_FREQUENT * rows);
  return telling.length > 0 ? telling.slice(0, MAX_TERMS) : known.slice(0, KEPT_AT_LEAST);
}

function withinFirstLook(terms: readonly Term[]): readonly Term[] {
  let seen = 0;
  const fits = terms.findIndex(({ count }) => {
    seen += count;
    return seen > FIRST_LOOK;
  });
  return fits === -1 ? terms : terms.slice(0, Math.max(1, fits));
}

/** Every term is quoted: nothing a caller writes is ever syntax. */
function matchExpression(terms: readonly Term[], scope: readonly string[] | undefined): string {
  const anyTerm = terms.map(({ text, columns }) => `${columns} : ${quoted(text)}`).join(" OR ");
  if (!scope) return anyTerm;
  return `scope : (${scope.map(quoted).join(" OR ")}) AND (${anyTerm})`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

interface Row {
  readonly id: number;
  readonly score: number;
}

function ranked(connection: Connection, match: string, limit: number): Hit[] {
  const sql = `SELECT rowid AS id, -bm25(memory_fts, 0, 2, 1.5, 1, 0.5) AS score FROM memory_fts
    WHERE memory_fts MATCH ? ORDER BY score DESC, id LIMIT ?`;
  return connection.all<Row>(sql, match, limit).map(toHit);
}

/** The ranked rows are walked, best first, until enough of them pass. */
function filtered(
  connection: Connection,
  match: string,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Hit[] {
  const { sql, values } = condition(where, spaces);
  const statement = `SELECT f.rowid AS id, -f.rank AS score FROM memory_fts f CROSS JOIN memories m ON m.id = f.rowid
    WHERE f.memory_fts MATCH ? AND ${sql} ORDER BY f.rank LIMIT ?`;
  return connection.all<Row>(statement, match, ...values, limit).map(toHit);
}

const toHit = ({ id, score }: Row, at: number): Hit => ({ id, score, rank: at + 1 });
