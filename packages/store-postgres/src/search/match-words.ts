import {
  Bm25,
  beginningsMeant,
  bestScore,
  boundOf,
  type Choice,
  type Counting,
  choicesOf,
  countBeside,
  type Filter,
  heaviestFirst,
  isMeantBy,
  keyOf,
  MOST_READ,
  type RankedSight,
  type Space,
  type TermAsked,
  type TextRow,
  type Unit,
  type WordHit,
  wholeRows,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { scopesOf } from "../database/rows.ts";
import { condition, isNarrow } from "./condition.ts";
import {
  FetchedIndex,
  type FetchedNeighbours,
  type FetchedTerm,
  type Neighbour,
  ROWS_BESIDE,
} from "./fetched-index.ts";

/** Rows that a question fetches and ranks, where rarer terms are there: each costs a microsecond on the way. */
export const RANKED_ROWS = 20_000;
const MOST_NEAR = 512;

interface Asking {
  readonly connection: Reading;
  readonly where: Omit<Filter, "reach">;
  readonly spaces: readonly Space[];
  readonly limit: number;
  readonly scopes: readonly number[];
  readonly rankedRows: number;
}

/** Rows in these spaces that hold any of the terms and pass the filter, best first by the formula that all engines share. */
export async function matchWords(
  connection: Reading,
  units: readonly Unit[],
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
  rankedRows = RANKED_ROWS,
): Promise<readonly WordHit[]> {
  const scopes = await connection.ids(
    "SELECT id FROM scopes WHERE token = ANY (?) ORDER BY id",
    scopesOf(spaces, where),
  );
  if (scopes.length === 0) return [];
  const asking: Asking = { connection, where, spaces, limit, scopes, rankedRows };
  const { counting, usualLength } = await countingOf(asking, units);
  let found: readonly WordHit[] = [];
  for (const choice of choicesOf(units, counting, rankedRows)) {
    found = await ranked(asking, choice, usualLength);
    if (found.length >= Math.min(choice.enough, limit)) break;
  }
  return found;
}

const SUMS = "SELECT count(*) AS rows, coalesce(sum(length), 0) AS words FROM memory_text WHERE scope = ANY (?)";
const OF_TERMS =
  "(p.term, p.is_gram) IN (SELECT term, is_gram = 1 FROM unnest(?::text[], ?::int[]) AS t (term, is_gram))";
const COUNTS = `SELECT p.term, p.is_gram, count(*) AS n FROM postings p
  WHERE ${OF_TERMS} AND p.scope = ANY (?) GROUP BY p.term, p.is_gram`;

interface CountRow {
  readonly term: string;
  readonly is_gram: boolean;
  readonly n: number;
}

/** How frequent each term is among the rows in sight, and likely meanings of terms that occur nowhere. */
async function countingOf({ connection, scopes, rankedRows }: Asking, units: readonly Unit[]) {
  const counts = new Map<string, number>();
  const count = async (terms: readonly TermAsked[]) => {
    const rows = await connection.all<CountRow>(COUNTS, ...columnsOf(terms), scopes);
    for (const { term, is_gram, n } of rows) counts.set(keyOf(term, is_gram), n);
  };
  const [sums] = await Promise.all([
    connection.get<{ rows: number; words: number }>(SUMS, scopes),
    count(units.flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms))),
  ]);
  const { rows = 0, words = 0 } = sums ?? {};
  const near = new Map<string, readonly string[]>();
  const counting = (nearTo: Counting["near"]): Counting => ({
    rows,
    bound: boundOf(rows),
    holding: (text, isGram) => counts.get(keyOf(text, isGram)) ?? 0,
    near: nearTo,
  });
  // Runs once to see which terms it would search, then again with their rows.
  const typed = new Set<string>();
  const listen = (word: string) => {
    typed.add(word);
    return [];
  };
  choicesOf(units, counting(listen), rankedRows).next();
  for (const word of typed) near.set(word, await nearTo(connection, scopes, word));
  const meant = [...near.values()].flat();
  if (meant.length > 0) await count(meant.map((text) => ({ text, isGram: false })));
  return { counting: counting((word) => near.get(word) ?? []), usualLength: Math.max(1, words / Math.max(1, rows)) };
}

function columnsOf(terms: readonly TermAsked[]): readonly [texts: string[], areGrams: number[]] {
  const each = new Map(terms.map((term) => [keyOf(term.text, term.isGram), term]));
  return [[...each.values()].map(({ text }) => text), [...each.values()].map(({ isGram }) => Number(isGram))];
}

// U+10FFFF: no text has it, and it sorts behind all of them.
const LAST = "\u{10FFFF}";
const NEAR = `SELECT DISTINCT p.term FROM postings p
  WHERE p.term >= ? AND p.term < ? AND NOT p.is_gram AND p.scope = ANY (?) AND abs(length(p.term) - ?) <= 1
  ORDER BY p.term LIMIT ${MOST_NEAR}`;

/** Words in sight that a typo may stand for. */
async function nearTo(connection: Reading, scopes: readonly number[], typed: string): Promise<string[]> {
  const length = [...typed].length;
  const found = await Promise.all(
    beginningsMeant(typed).map((beginning) =>
      connection.all<{ term: string }>(NEAR, beginning, beginning + LAST, scopes, length),
    ),
  );
  return [...new Set(found.flat().map(({ term }) => term))].filter((term) => isMeantBy(term, typed));
}

// Each term's rows in one value: as rows of the answer they take ten times as long to read.
const ROWS = `SELECT p.term AS text, p.is_gram AS "isGram",
    array_to_json(array_agg(p.memory_id ORDER BY p.memory_id))::text AS ids,
    array_to_json(array_agg(p.impact ORDER BY p.memory_id))::text AS impacts,
    array_to_json(array_agg(p.length ORDER BY p.memory_id))::text AS lengths,
    array_to_json(array_agg(p.scope ORDER BY p.memory_id))::text AS scopes
  FROM postings p WHERE ${OF_TERMS} AND p.scope = ANY (?) GROUP BY p.term, p.is_gram`;

type RowsRow = { readonly [K in keyof FetchedTerm]: FetchedTerm[K] extends boolean ? boolean : string };

async function fetched({ connection, scopes }: Asking, { asked, beside }: Choice): Promise<FetchedTerm[]> {
  const ways = [...asked.flatMap((each) => each.ways), ...beside.flatMap((each) => each.looked)];
  const rows = await connection.all<RowsRow>(ROWS, ...columnsOf(ways.flatMap(({ terms }) => terms)), scopes);
  return rows.map(({ text, isGram, ids, impacts, lengths, scopes: lie }) => ({
    text,
    isGram,
    ids: JSON.parse(ids),
    impacts: JSON.parse(impacts),
    lengths: JSON.parse(lengths),
    scopes: JSON.parse(lie),
  }));
}

const CONTEXT_OF = (row: string) => `coalesce(${row}.conversation_id, ${row}.author_id || ':' || ${row}.session_id)`;
const beside = (side: "<" | ">", order: "ASC" | "DESC") => `ARRAY(
    SELECT n.id FROM memories n WHERE ${CONTEXT_OF("n")} = ${CONTEXT_OF("m")} AND n.space = m.space AND n.id ${side} m.id
    ORDER BY n.id ${order} LIMIT ${ROWS_BESIDE})`;
const BESIDE = `SELECT m.id, ${beside("<", "DESC")} AS before, ${beside(">", "ASC")} AS after
  FROM memories m WHERE m.id = ANY (?) AND ${CONTEXT_OF("m")} IS NOT NULL`;
const PLACES = "SELECT memory_id AS id, scope, length FROM memory_text WHERE memory_id = ANY (?)";

/** Reads what was stored before and after some rows in their session, in the same space. */
async function neighboursOf(connection: Reading, ids: readonly number[]): Promise<FetchedNeighbours[]> {
  if (ids.length === 0) return [];
  const rows = await connection.all<{ id: number; before: number[]; after: number[] }>(BESIDE, ids);
  const others = [...new Set(rows.flatMap(({ before, after }) => [...before, ...after]))];
  if (others.length === 0) return [];
  const places = new Map((await connection.all<Neighbour>(PLACES, others)).map((row) => [row.id, row]));
  const placed = (list: readonly number[]) => list.map((id) => places.get(id) ?? { id, scope: 0, length: 1 });
  return rows.map(({ id, before, after }) => ({ id, before: placed(before), after: placed(after) }));
}

async function ranked(asking: Asking, choice: Choice, usualLength: number): Promise<readonly WordHit[]> {
  const { connection, where, spaces, limit, scopes } = asking;
  const terms = await fetched(asking, choice);
  const allowed = new Uint8Array(scopes.length + 1).fill(1, 1);
  const sight: RankedSight = { usualLength, allowed, parts: [{ allowed }] };
  // Lenders are known once all rows are weighed; with the rows beside the lenders they are weighed again.
  const alone = new FetchedIndex(terms, [], scopes);
  const ranking = new Bm25();
  const lenders = Array.from(ranking.lenders(alone, choice, sight), (number) => alone.ids[number] as number);
  if (lenders.length === 0) return [];
  const neighbours = await neighboursOf(connection, lenders);
  const index = neighbours.length === 0 ? alone : new FetchedIndex(terms, neighbours, scopes);
  const weighed = ranking.weigh(index, choice, sight);
  const { ids: rows, scores, said, lentTo } = weighed;
  const passes = isNarrow(where) ? await passing(connection, index, rows, where, spaces) : undefined;
  const found: number[] = [];
  const isFirstGuess = choice.beside.length > 0;
  const wanted = isFirstGuess ? Math.max(limit, MOST_READ) : limit;
  for (const group of heaviestFirst(rows, scores, wanted)) {
    found.push(...(passes ? group.filter((number) => passes.has(number)) : group));
    if (found.length >= wanted) break;
  }
  const best = found.slice(0, wanted);
  const counted = isFirstGuess
    ? countBeside(await textsOf(connection, index, best.slice(0, MOST_READ)), index, sight, choice, best, weighed)
    : undefined;
  const numbers = (counted?.ids ?? best).slice(0, limit);
  const whole = wholeRows(index, sight, choice, numbers, weighed);
  return numbers.map((number, at) => ({
    id: index.ids[number] as number,
    rank: at + 1,
    score: scores[number] ?? 0,
    ofBest: Math.min(1, (scores[number] ?? 0) / bestScore(choice)),
    coverage: Math.min(1, (said[number] ?? 0) / choice.wholeWeight),
    lent: Math.min(1, lentTo(number) / choice.wholeWeight),
    isWhole: whole.has(number) && (counted === undefined || counted.whole.has(number)),
  }));
}

/** Which of the rows pass the filter. */
async function passing(
  connection: Reading,
  index: FetchedIndex,
  rows: Uint32Array,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
): Promise<ReadonlySet<number>> {
  const { sql, values } = condition(where, spaces);
  const ids = Array.from(rows, (number) => index.ids[number] as number);
  const pass = await connection.ids(`SELECT m.id FROM memories m WHERE m.id = ANY (?) AND ${sql}`, ids, ...values);
  return new Set(pass.map((id) => index.numberOf(id)));
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
