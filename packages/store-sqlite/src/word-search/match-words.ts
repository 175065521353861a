import type { Space } from "@chest/core/access";
import {
  type Bm25,
  bestScore,
  type Choice,
  choicesOf,
  countBeside,
  heaviestFirst,
  MOST_READ,
  type TextRow,
  type Unit,
  wholeRows,
} from "@chest/core/recall";
import { scopesOf } from "@chest/store/database/rows";
import type { Connection } from "../database/connection.ts";
import { condition, type DatedFilter, hasExpired, isNarrow } from "./filter-sql.ts";
import { columns } from "./typed-columns.ts";
import type { VisibleRows } from "./visible-rows.ts";
import type { WordIndex } from "./word-index.ts";

/** State that a search thread keeps to answer by words. */
export interface WordSearch {
  readonly connection: Connection;
  readonly index: WordIndex;
  readonly ranking: Bm25;
  /** Rows that a question ranks before rarer terms are thought enough; an ordinary store's by default. */
  readonly rankedRows?: number | undefined;
}

/** A ranked list, best first: as columns it crosses from a thread in no time. */
export interface RankedWordHits {
  readonly ids: Float64Array;
  readonly scores: Float64Array;
  /** The best score that the question could get. */
  readonly best: number;
  /** Share of the question's terms that each row contains, 0–1. */
  readonly coverages: Float64Array;
  /** Part of that share that neighbouring rows lend. */
  readonly lent: Float64Array;
  /** 1 if the row itself contains all terms of the question. */
  readonly whole: Float64Array;
}

/**
 * Rows in these spaces that hold any of the terms and pass the filter, best first by BM25F; undefined while the text index
 * is made anew.
 */
export function matchWords(
  search: WordSearch,
  units: readonly Unit[],
  where: DatedFilter,
  spaces: readonly Space[],
  limit: number,
): RankedWordHits | undefined {
  return search.connection.snapshot(() => {
    if (!search.index.catchUp()) return undefined;
    let found = rankedRows(0, 1);
    const visible = search.index.visibleRows(scopesOf(spaces, where));
    for (const choice of choicesOf(units, visible, search.rankedRows)) {
      found = ranked(search, visible, choice, where, spaces, limit);
      if (found.ids.length >= Math.min(choice.enough, limit)) break;
    }
    return found;
  });
}

function rankedRows(count: number, best: number): RankedWordHits {
  const [ids, scores, coverages, lent, whole] = columns(5, count);
  return { ids, scores, best, coverages, lent, whole };
}

function ranked(
  { connection, index, ranking }: WordSearch,
  visible: VisibleRows,
  choice: Choice,
  where: DatedFilter,
  spaces: readonly Space[],
  limit: number,
): RankedWordHits {
  const weighed = ranking.weigh(index, choice, visible);
  const { ids: rows, scores, coverage, lentTo } = weighed;
  const found: number[] = [];
  const isFirstGuess = choice.beside.length > 0;
  const wanted = isFirstGuess ? Math.max(limit, MOST_READ) : limit;
  for (const group of heaviestFirst(rows, scores, wanted)) {
    found.push(
      ...(isNarrow(where) || hasExpired(connection, where) ? passing(connection, group, where, spaces) : group),
    );
    if (found.length >= wanted) break;
  }
  const best = found.slice(0, wanted);
  const beside = isFirstGuess
    ? countBeside(textsOf(connection, best), index, visible, choice, best, weighed)
    : undefined;
  const ids = (beside?.ids ?? best).slice(0, limit);
  const whole = wholeRows(index, visible, choice, ids, weighed);
  const list = rankedRows(ids.length, bestScore(choice));
  for (const [at, id] of ids.entries()) {
    list.ids[at] = id;
    list.scores[at] = scores[id] ?? 0;
    list.coverages[at] = Math.min(1, (coverage[id] ?? 0) / choice.wholeWeight);
    list.lent[at] = Math.min(1, lentTo(id) / choice.wholeWeight);
    list.whole[at] = Number(whole.has(id) && (beside === undefined || beside.whole.has(id)));
  }
  return list;
}

type Text = TextRow & { readonly memory_id: number };

const TEXTS = `SELECT memory_id, title, tags, words, grams FROM memory_text
  WHERE memory_id IN (SELECT value FROM json_each(?))`;

const textsOf = (connection: Connection, ids: readonly number[]) =>
  connection
    .all<Text>(TEXTS, JSON.stringify(ids.slice(0, MOST_READ)))
    .map(({ memory_id, ...text }): [number, TextRow] => [memory_id, text]);

/** Rows that pass the filter, in the order given. */
function passing(
  connection: Connection,
  ids: readonly number[],
  where: DatedFilter,
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
