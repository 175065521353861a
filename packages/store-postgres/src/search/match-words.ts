import type { Space } from "@chest/core/access";
import type { WordHit } from "@chest/core/ports";
import {
  akinIn,
  Bm25,
  bestScore,
  boundOf,
  type Choice,
  type Counting,
  choicesOf,
  countBeside,
  heaviestFirst,
  keyOf,
  MOST_AKIN_ROWS,
  MOST_LOOKED_THROUGH,
  MOST_READ,
  partsOfAkin,
  type QueryTerm,
  type RankedRows,
  type TextRow,
  type Unit,
  wholeRows,
} from "@chest/core/recall";
import { beginningsMeant, isMeantBy } from "@chest/core/text";
import { scopesOf } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { type Condition, condition, type DatedFilter, hasExpired, isNarrow } from "./condition.ts";
import {
  FetchedIndex,
  type FetchedNeighbours,
  type FetchedRows,
  type Neighbour,
  ROWS_BESIDE,
} from "./fetched-index.ts";

/** Most rows that a question fetches and ranks if rarer terms exist: each costs a microsecond in transfer. */
export const RANKED_ROWS = 20_000;
const MOST_NEAR = 512;

interface Asking {
  readonly connection: Reading;
  readonly where: DatedFilter;
  readonly spaces: readonly Space[];
  readonly limit: number;
  readonly scopes: readonly number[];
  readonly usualLength: number;
  /** Fetched rows by term. */
  readonly fetched: Map<string, readonly FetchedRows[]>;
}

/** Rows in these spaces that contain any of the terms and pass the filter, best first by the formula of all engines. */
export async function matchWords(
  connection: Reading,
  units: readonly Unit[],
  where: DatedFilter,
  spaces: readonly Space[],
  limit: number,
  rankedRows = RANKED_ROWS,
): Promise<readonly WordHit[]> {
  const terms = units.flatMap(({ alternatives }) => alternatives.flatMap((each) => each.terms));
  const { scopes, rows, words, counts, fetched } = await look(connection, terms, scopesOf(spaces, where), rankedRows);
  if (scopes.length === 0) return [];
  const usualLength = Math.max(1, words / Math.max(1, rows));
  const asking: Asking = { connection, where, spaces, limit, scopes, usualLength, fetched };
  const counting = await withMeant(asking, units, { rows, counts, rankedRows });
  let found: readonly WordHit[] = [];
  for (const choice of choicesOf(units, counting, rankedRows)) {
    found = await ranked(asking, choice);
    if (found.length >= Math.min(choice.enough, limit)) break;
  }
  return found;
}

/**
 * Joins each term with each scope `s`, because a list of scopes would scan the index over all scopes.
 * @param read columns of the rows `p`
 */
const inScopes = (
  scopes: string,
  read: string,
) => `FROM ${scopes} CROSS JOIN unnest(?::text[], ?::int[]) AS t (term, is_gram)
  CROSS JOIN LATERAL (
    SELECT ${read} FROM postings p WHERE p.term = t.term AND p.is_gram = (t.is_gram = 1) AND p.scope = s.id) p`;
// Arrays in two columns: single result rows take ten times as long to read.
const LISTS = "count(*) AS n, array_agg(p.memory_id) AS ids, array_agg((p.length << 8) | p.impact) AS marks";
const SCOPES = "unnest(?::int[]) AS s (id)";
/** Share of the rows to rank up to which a place counts as small. */
const SMALL = 0.5;
// In small places a term's rows come with its count, unless it is too frequent to search: saving a round trip is worth
// the extra rows. In large places terms are counted first.
const LOOK = `WITH own AS MATERIALIZED (
    SELECT s.id, t.rows, t.words FROM scopes s, LATERAL (
      SELECT count(*) AS rows, coalesce(sum(length), 0) AS words FROM memory_text t WHERE t.scope = s.id) t
    WHERE s.token = ANY (?)),
  all_rows (n) AS MATERIALIZED (SELECT coalesce(sum(rows), 0)::bigint FROM own)
  SELECT NULL AS term, NULL AS is_gram, id AS scope, rows AS n, words, NULL AS ids, NULL AS marks FROM own
  UNION ALL
  SELECT term, is_gram, scope, n, NULL, CASE WHEN is_rare THEN ids::text END, CASE WHEN is_rare THEN marks::text END FROM (
    SELECT t.term, t.is_gram = 1 AS is_gram, s.id AS scope, p.n, p.ids, p.marks,
      sum(p.n) OVER (PARTITION BY t.term, t.is_gram)
        <= least(?::bigint, greatest(1000, (SELECT n FROM all_rows) / 5)) AS is_rare
    ${inScopes("own s", LISTS)}
    WHERE p.n > 0 AND (SELECT n FROM all_rows) <= ?::bigint) small
  UNION ALL
  SELECT t.term, t.is_gram = 1, s.id, p.n, NULL, NULL, NULL ${inScopes("own s", "count(*) AS n")}
  WHERE p.n > 0 AND (SELECT n FROM all_rows) > ?::bigint`;

interface ListsRow {
  readonly term: string;
  readonly is_gram: boolean;
  readonly scope: number;
  readonly ids: string;
  readonly marks: string;
}

type LookRow =
  | { readonly term: null; readonly scope: number; readonly n: number; readonly words: number }
  | (Omit<ListsRow, "ids" | "marks"> & { readonly n: number; readonly ids: string | null; readonly marks: string });

/** Reads the row and word counts of some scopes, the frequency of each term, and the rows of rare terms. */
async function look(connection: Reading, query: readonly QueryTerm[], tokens: readonly string[], rankedRows: number) {
  const terms = columnsOf(query);
  const most = Math.ceil(rankedRows / Math.max(1, terms[0].length));
  const small = Math.floor(rankedRows * SMALL);
  const found = await connection.all<LookRow>(LOOK, tokens, most, ...terms, small, ...terms, small);
  const scopes: number[] = [];
  const counts = new Map<string, number>();
  const fetched = new Map<string, FetchedRows[]>();
  const frequent = new Set<string>();
  let [rows, words] = [0, 0];
  for (const row of found) {
    if (row.term === null) {
      scopes.push(row.scope);
      rows += row.n;
      words += row.words;
      continue;
    }
    const key = keyOf(row.term, row.is_gram);
    counts.set(key, (counts.get(key) ?? 0) + row.n);
    if (row.ids === null) frequent.add(key);
    else fetched.set(key, [...(fetched.get(key) ?? []), rowsIn({ ...row, ids: row.ids })]);
  }
  for (const key of frequent) fetched.delete(key);
  return { scopes: scopes.sort((a, b) => a - b), rows, words, counts, fetched };
}

const rowsIn = ({ term, is_gram, scope, ids, marks }: ListsRow): FetchedRows => ({
  ...{ text: term, isGram: is_gram, scope },
  ...{ ids: numbersIn(ids), marks: numbersIn(marks) },
});

/** Numbers of a list in the server's syntax. */
const numbersIn = (list: string): number[] => JSON.parse(`[${list.slice(1, -1)}]`);

const COUNTS = `SELECT t.term, sum(p.n)::bigint AS n ${inScopes(SCOPES, "count(*) AS n")} GROUP BY t.term`;

interface Counted {
  readonly rows: number;
  readonly counts: Map<string, number>;
  readonly rankedRows: number;
}

/** Adds the frequency of each term in visible rows, and likely corrections of unknown terms. */
async function withMeant(
  { connection, scopes }: Asking,
  units: readonly Unit[],
  { rows, counts, rankedRows }: Counted,
): Promise<Counting> {
  const near = new Map<string, readonly string[]>();
  const akin = new Map<string, readonly string[]>();
  const counting = (nearTo: Counting["near"], akinTo: Counting["akin"]): Counting => ({
    rows,
    bound: boundOf(rows),
    holding: (text, isGram) => counts.get(keyOf(text, isGram)) ?? 0,
    near: nearTo,
    akin: akinTo,
  });
  // Runs once to collect the terms, then again with their rows.
  const typed = new Set<string>();
  const listen = (word: string) => {
    typed.add(word);
    return [];
  };
  const none = () => [];
  const nearOf = (word: string) => near.get(word) ?? [];
  const count = async (meant: readonly string[]) => {
    if (meant.length === 0) return;
    const terms = columnsOf(meant.map((text) => ({ text, isGram: false })));
    for (const { term, n } of await connection.all<{ term: string; n: number }>(COUNTS, scopes, ...terms))
      counts.set(keyOf(term, false), n);
  };
  choicesOf(units, counting(listen, none), rankedRows).next();
  for (const word of typed) near.set(word, await nearTo(connection, scopes, word));
  await count([...near.values()].flat());
  // The counts show whether any word occurs.
  typed.clear();
  choicesOf(units, counting(nearOf, listen), rankedRows).next();
  for (const word of typed) akin.set(word, await akinTo(connection, scopes, word));
  await count([...akin.values()].flat());
  return counting(nearOf, (word) => akin.get(word) ?? []);
}

function columnsOf(terms: readonly QueryTerm[]): readonly [texts: string[], areGrams: number[]] {
  const each = new Map(terms.map((term) => [keyOf(term.text, term.isGram), term]));
  return [[...each.values()].map(({ text }) => text), [...each.values()].map(({ isGram }) => Number(isGram))];
}

// U+10FFFF sorts after every text and occurs in none.
const LAST = "\u{10FFFF}";
const NEAR = `SELECT DISTINCT p.term FROM postings p
  WHERE p.term >= ? AND p.term < ? AND NOT p.is_gram AND p.scope = ANY (?) AND abs(length(p.term) - ?) <= 1
  ORDER BY p.term LIMIT ${MOST_NEAR}`;

/** Visible words that a misspelt word may have meant. */
async function nearTo(connection: Reading, scopes: readonly number[], typed: string): Promise<string[]> {
  const length = [...typed].length;
  const found = await Promise.all(
    beginningsMeant(typed).map((beginning) =>
      connection.all<{ term: string }>(NEAR, beginning, beginning + LAST, scopes, length),
    ),
  );
  return [...new Set(found.flat().map(({ term }) => term))].filter((term) => isMeantBy(term, typed));
}

const AKIN = `SELECT text FROM (
    SELECT t.words || ' ' || t.title || ' ' || t.tags AS text FROM memory_text t
    WHERE t.scope = ANY (?) ORDER BY t.memory_id DESC LIMIT ?) newest
  WHERE EXISTS (SELECT 1 FROM unnest(?::text[]) AS p (part) WHERE strpos(text, p.part) > 0) LIMIT ?`;

/** Visible words that are related to an unknown word. */
async function akinTo(connection: Reading, scopes: readonly number[], typed: string): Promise<string[]> {
  const parts = partsOfAkin(typed);
  if (parts.length === 0) return [];
  const rows = await connection.all<{ text: string }>(AKIN, scopes, MOST_LOOKED_THROUGH, parts, MOST_AKIN_ROWS);
  return akinIn(
    rows.map(({ text }) => text),
    typed,
  );
}

const ROWS = `SELECT t.term, t.is_gram = 1 AS is_gram, s.id AS scope, p.ids::text AS ids, p.marks::text AS marks
  ${inScopes(SCOPES, LISTS)} WHERE p.n > 0`;

/** Fetches the rows of a choice's terms that are not fetched yet. */
async function rowsFor({ connection, scopes, fetched }: Asking, { units, beside }: Choice): Promise<FetchedRows[]> {
  const ways = [...units.flatMap((each) => each.ways), ...beside.flatMap((each) => each.looked)];
  const terms = ways.flatMap((way) => way.terms);
  const missing = terms.filter(({ text, isGram }) => !fetched.has(keyOf(text, isGram)));
  if (missing.length > 0) {
    for (const { text, isGram } of missing) fetched.set(keyOf(text, isGram), []);
    for (const row of await connection.all<ListsRow>(ROWS, scopes, ...columnsOf(missing))) {
      const key = keyOf(row.term, row.is_gram);
      fetched.set(key, [...(fetched.get(key) ?? []), rowsIn(row)]);
    }
  }
  const keys = new Set(terms.map(({ text, isGram }) => keyOf(text, isGram)));
  return [...keys].flatMap((key) => fetched.get(key) ?? []);
}

const CONTEXT_OF = (row: string) => `coalesce(${row}.conversation_id, ${row}.author_id || ':' || ${row}.session_id)`;
/** Condition for a conversation turn or session note; explicitly saved facts have no neighbours. */
const IS_TURN = (row: string) => `(${row}.conversation_id IS NOT NULL OR ${row}.capture_key IS NOT NULL)`;
const beside = (side: "<" | ">", order: "ASC" | "DESC") => `ARRAY(
    SELECT n.id FROM memories n WHERE ${CONTEXT_OF("n")} = ${CONTEXT_OF("m")} AND n.space = m.space AND n.id ${side} m.id
      AND ${IS_TURN("n")}
    ORDER BY n.id ${order} LIMIT ${ROWS_BESIDE})`;
// Reads the neighbours of each row with their scope and length. With a filter also which rows pass it, in the same
// round trip.
const besideOf = (filter?: string) => `WITH near AS MATERIALIZED (
    SELECT m.id, ${beside("<", "DESC")} AS before, ${beside(">", "ASC")} AS after
    FROM memories m WHERE m.id = ANY (?) AND ${CONTEXT_OF("m")} IS NOT NULL AND ${IS_TURN("m")})
  SELECT id, before, after, NULL::int AS scope, NULL::int AS length FROM near
  UNION ALL
  SELECT t.memory_id, NULL, NULL, t.scope, t.length FROM memory_text t
  WHERE t.memory_id = ANY (ARRAY(SELECT unnest(before || after) FROM near))${
    filter === undefined
      ? ""
      : `
  UNION ALL
  SELECT m.id, NULL, NULL, NULL, NULL FROM memories m
  WHERE m.id = ANY (?::bigint[] || ARRAY(SELECT unnest(before || after) FROM near)) AND ${filter}`
  }`;

type BesideRow = { readonly id: number } & (
  | { readonly before: readonly number[]; readonly after: readonly number[] }
  | { readonly before: null; readonly scope: number; readonly length: number }
  // The row passes the filter.
  | { readonly before: null; readonly scope: null }
);

/** Reads the neighbours of some rows in their session and space; with a filter also which of all rows pass it. */
async function neighboursOf(
  connection: Reading,
  lenders: readonly number[],
  weighed: readonly number[],
  filter: Condition | undefined,
) {
  const values = filter ? [weighed, ...filter.values] : [];
  const rows = await connection.all<BesideRow>(besideOf(filter?.sql), lenders, ...values);
  const places = new Map<number, Neighbour>();
  const passing = new Set<number>();
  for (const row of rows) {
    if (row.before !== null) continue;
    if (row.scope === null) passing.add(row.id);
    else places.set(row.id, row);
  }
  const placed = (list: readonly number[]) => list.map((id) => places.get(id) ?? { id, scope: 0, length: 1 });
  const neighbours = rows.flatMap((row): FetchedNeighbours[] =>
    row.before === null ? [] : [{ id: row.id, before: placed(row.before), after: placed(row.after) }],
  );
  return { neighbours, passing: filter && passing };
}

async function ranked(asking: Asking, choice: Choice): Promise<readonly WordHit[]> {
  const { connection, where, spaces, limit, scopes, usualLength } = asking;
  const terms = await rowsFor(asking, choice);
  const allowed = new Uint8Array(scopes.length + 1).fill(1, 1);
  const visible: RankedRows = { usualLength, allowed, parts: [{ allowed }] };
  // Lenders are known only after all rows are scored; with their neighbours they are scored again.
  const alone = new FetchedIndex(terms, [], scopes);
  const ranking = new Bm25();
  const idsOf = (numbers: Uint32Array) => Array.from(numbers, (number) => alone.ids[number] as number);
  const lenders = idsOf(ranking.lenders(alone, choice, visible));
  if (lenders.length === 0) return [];
  const filter = isNarrow(where) ? condition(where, spaces) : undefined;
  const [{ neighbours, passing: passed }, isExpired] = await Promise.all([
    neighboursOf(connection, lenders, filter ? idsOf(ranking.touched) : [], filter),
    filter === undefined && hasExpired(connection, where),
  ]);
  const index = neighbours.every(({ before, after }) => before.length + after.length === 0)
    ? alone
    : new FetchedIndex(terms, neighbours, scopes);
  const weighed = ranking.weigh(index, choice, visible);
  const { ids: rows, scores, coverage, lentTo } = weighed;
  const passes = isExpired ? await passing(connection, index, rows, where, spaces) : passed;
  const found: number[] = [];
  const isFirstGuess = choice.beside.length > 0;
  const wanted = isFirstGuess ? Math.max(limit, MOST_READ) : limit;
  for (const group of heaviestFirst(rows, scores, wanted)) {
    found.push(...(passes ? group.filter((number) => passes.has(index.ids[number] as number)) : group));
    if (found.length >= wanted) break;
  }
  const best = found.slice(0, wanted);
  const counted = isFirstGuess
    ? countBeside(await textsOf(connection, index, best.slice(0, MOST_READ)), index, visible, choice, best, weighed)
    : undefined;
  const numbers = (counted?.ids ?? best).slice(0, limit);
  const whole = wholeRows(index, visible, choice, numbers, weighed);
  return numbers.map((number, at) => ({
    id: index.ids[number] as number,
    rank: at + 1,
    score: scores[number] ?? 0,
    ofBest: Math.min(1, (scores[number] ?? 0) / bestScore(choice)),
    coverage: Math.min(1, (coverage[number] ?? 0) / choice.wholeWeight),
    lent: Math.min(1, lentTo(number) / choice.wholeWeight),
    isWhole: whole.has(number) && (counted === undefined || counted.whole.has(number)),
  }));
}

/** Ids of the rows that pass the filter. */
async function passing(
  connection: Reading,
  index: FetchedIndex,
  rows: Uint32Array,
  where: DatedFilter,
  spaces: readonly Space[],
): Promise<ReadonlySet<number>> {
  const { sql, values } = condition(where, spaces);
  const ids = Array.from(rows, (number) => index.ids[number] as number);
  return new Set(await connection.ids(`SELECT m.id FROM memories m WHERE m.id = ANY (?) AND ${sql}`, ids, ...values));
}

const TEXTS = "SELECT memory_id, title, tags, words, grams FROM memory_text WHERE memory_id = ANY (?)";

async function textsOf(
  connection: Reading,
  index: FetchedIndex,
  numbers: readonly number[],
): Promise<readonly (readonly [number, TextRow])[]> {
  const rows = await connection.all<TextRow & { readonly memory_id: number }>(
    TEXTS,
    numbers.map((number) => index.ids[number] as number),
  );
  return rows.map((row) => [index.numberOf(row.memory_id), row] as const);
}
