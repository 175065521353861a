import type { Connection } from "../connection.ts";
import type { Term } from "./terms.ts";

export interface TextRow {
  readonly memory_id: number;
  readonly title: string;
  readonly tags: string;
  readonly words: string;
  readonly grams: string;
}

export interface Scored {
  readonly id: number;
  readonly score: number;
}

const TEXTS =
  "SELECT memory_id, title, tags, words, grams FROM memory_text WHERE memory_id IN (SELECT value FROM json_each(?))";
const WEIGHTS = { title: 2, tags: 1.5, words: 1, grams: 0.5 } as const;
// Saturation and length of BM25 (Robertson and Zaragoza 2009), at the values that FTS5 uses.
const K1 = 1.2;
const B = 0.75;
/**
 * BM25F of rows, over all terms of a question: the weight of a column counts as that many occurrences.
 * @param usualChars length of an ordinary row, against which a row's own is measured.
 */
export function scoreRows(
  connection: Connection,
  ids: readonly number[],
  terms: readonly Term[],
  usualChars: number,
): Scored[] {
  return connection
    .all<TextRow>(TEXTS, JSON.stringify(ids))
    .map((row) => ({ id: row.memory_id, score: scoreOf(row, terms, usualChars) }));
}

function scoreOf(row: TextRow, terms: readonly Term[], usualChars: number): number {
  const title = ` ${row.title} `;
  const tags = ` ${row.tags} `;
  const words = ` ${row.words} `;
  const grams = ` ${row.grams} `;
  const length = 1 - B + B * ((row.words.length + row.grams.length) / usualChars);
  let score = 0;
  for (const { text, isGram, idf } of terms) {
    const token = ` ${text} `;
    const frequency =
      WEIGHTS.title * countOf(token, title) +
      WEIGHTS.tags * countOf(token, tags) +
      (isGram ? WEIGHTS.grams * countOf(token, grams) : WEIGHTS.words * countOf(token, words));
    score += (idf * frequency * (K1 + 1)) / (frequency + K1 * length);
  }
  return score;
}

/** Occurrences of a token in blanks, in tokens joined by single blanks. */
function countOf(token: string, tokens: string): number {
  let count = 0;
  for (let at = tokens.indexOf(token); at >= 0; at = tokens.indexOf(token, at + token.length - 1)) count += 1;
  return count;
}
