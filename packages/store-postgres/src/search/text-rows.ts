import type { CanonicalText, Memory } from "@chest/core/memory";
import { frequenciesOf, packed, type TextRow, tokensIn } from "@chest/core/recall";
import { segment } from "@chest/core/text";
import { scopeOf } from "@chest/store/database/rows";
import { headingTokens, tokensOf } from "@chest/store/memories/text-tokens";
import type { SqlValue } from "../database/connection.ts";
import type { Transaction } from "../writing/transaction.ts";

const readTextRow = ({ connection }: Pick<Transaction, "connection">, id: number) =>
  connection.get<TextRow>("SELECT title, tags, words, grams FROM memory_text WHERE memory_id = ?", id);

/**
 * CTEs that write the text row and postings of the memory `m` of an earlier CTE. They take `textValues`. Scopes are
 * looked up before they are added, because a conflict consumes a number of the sequence.
 */
export const PUT_TEXT = `known AS (SELECT id FROM scopes WHERE token = ?),
  made AS (
    INSERT INTO scopes (token) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM known)
    ON CONFLICT (token) DO UPDATE SET token = excluded.token RETURNING id),
  given (memory_id, scope, length) AS (
    SELECT m.id, s.id, ?::int FROM m, (SELECT id FROM known UNION ALL SELECT id FROM made) s),
  put_text AS (
    INSERT INTO memory_text (memory_id, scope, length, title, tags, words, grams)
      SELECT memory_id, scope, length, ?, ?, ?, ? FROM given
    ON CONFLICT (memory_id) DO UPDATE SET (scope, length, title, tags, words, grams) =
      (excluded.scope, excluded.length, excluded.title, excluded.tags, excluded.words, excluded.grams)),
  put_postings AS (
    INSERT INTO postings (term, is_gram, scope, memory_id, impact, length)
      SELECT t.term, t.is_gram = 1, g.scope, g.memory_id, t.impact, g.length
      FROM given g, unnest(?::text[], ?::int[], ?::int[]) AS t (term, is_gram, impact))`;

const PUT = `WITH m (id) AS (VALUES (?::bigint)), ${PUT_TEXT} SELECT`;

// Found by its terms, because an index by memory would be as large as the one by terms.
const UNPOST = `DELETE FROM postings p USING memory_text t, unnest(?::text[], ?::int[]) AS k (term, is_gram)
  WHERE t.memory_id = ? AND p.memory_id = t.memory_id AND p.scope = t.scope AND p.term = k.term AND p.is_gram = (k.is_gram = 1)`;

interface Terms {
  readonly texts: string[];
  /** 1 for a gram, otherwise 0; sent as a list of numbers. */
  readonly areGrams: number[];
  readonly impacts: number[];
}

/** Terms in index order, so that two transactions lock its pages in the same order. */
function termsOf(row: TextRow): Terms {
  const terms: Terms = { texts: [], areGrams: [], impacts: [] };
  const frequencies = [...frequenciesOf(row)].sort(([a], [b]) => (a.slice(1) < b.slice(1) ? -1 : 1));
  for (const [key, frequency] of frequencies) {
    terms.texts.push(key.slice(1));
    terms.areGrams.push(Number(key.startsWith("g")));
    terms.impacts.push(packed(frequency));
  }
  return terms;
}

const MOST_WORDS = 0xffff;
export const lengthOf = ({ words }: TextRow): number => Math.max(1, Math.min(tokensIn(words).length, MOST_WORDS));

/** Replaces a text row and its postings. Sent without waiting. */
function putTextRow(
  { connection }: Pick<Transaction, "connection">,
  id: number,
  scope: string,
  old: TextRow | undefined,
  row: TextRow,
): void {
  unpost(connection, id, old);
  connection.later(PUT, id, ...textValues(scope, row));
}

/** Values of a text row for `PUT_TEXT`. */
export function textValues(scope: string, row: TextRow): SqlValue[] {
  const { texts, areGrams, impacts } = termsOf(row);
  return [scope, scope, lengthOf(row), row.title, row.tags, row.words, row.grams, texts, areGrams, impacts];
}

function unpost(connection: Transaction["connection"], id: number, old: TextRow | undefined): void {
  if (!old) return;
  const { texts, areGrams } = termsOf(old);
  connection.later(UNPOST, texts, areGrams, id);
}

/** Removes a text row and its postings. */
export async function dropTextRow(tx: Transaction, id: number): Promise<void> {
  unpost(tx.connection, id, await readTextRow(tx, id));
  tx.connection.later("DELETE FROM memory_text WHERE memory_id = ?", id);
}

/** Changes parts of a text row; a missing row stays missing. */
export async function changeTextRow(tx: Transaction, id: number, change: Partial<TextRow>, scope?: string) {
  const [old, place] = await Promise.all([
    readTextRow(tx, id),
    tx.connection.get<{ token: string }>(
      "SELECT s.token FROM memory_text t JOIN scopes s ON s.id = t.scope WHERE t.memory_id = ?",
      id,
    ),
  ]);
  if (old && place) putTextRow(tx, id, scope ?? place.token, old, { ...old, ...change });
}

/** Moves text rows to other scopes, with unchanged text. */
export async function moveTextRows(tx: Transaction, moved: readonly { readonly id: number; readonly scope: string }[]) {
  for (const { id, scope } of moved) await changeTextRow(tx, id, {}, scope);
}

/**
 * Writes the text row of a memory.
 * @param isNew there is none yet
 */
export async function writeText(
  tx: Transaction,
  memory: Memory,
  text?: Pick<CanonicalText, "words" | "grams">,
  { isNew = false, isRetitled = false }: { readonly isNew?: boolean; readonly isRetitled?: boolean } = {},
): Promise<void> {
  const old = isNew ? undefined : await readTextRow(tx, memory.id);
  const { words, grams } = text ?? old ?? segment(memory.content);
  const title = (isRetitled ? undefined : old?.title) ?? headingTokens(memory.entity.name, memory);
  putTextRow(tx, memory.id, scopeOf(memory), old, { title, tags: tokensOf(memory.tags.join(" ")), words, grams });
}
