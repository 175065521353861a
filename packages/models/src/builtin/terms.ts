import { foldHan, runsOf, wordsOfSpaced } from "@chest/core/text";
import type { Match, TermIndex } from "./term-index.ts";

/**
 * Rows of the terms of a text, as often as they occur, in no particular order. Words between blanks are the segmenter's
 * words, stems and parts of identifiers. Scripts without blanks, and Korean with its endings, are cut into the longest
 * terms of the table: the cuts are equal on every machine, whatever its dictionary.
 * @param least characters of a term that counts
 */
export function rowsOf(text: string, index: TermIndex, rows: number[], least = 1): void {
  const match: Match = { row: -1, length: 1 };
  for (const run of runsOf(text)) {
    if (run.locale === undefined) addWords(run.text, index, rows, least);
    else addLongest(foldHan(run.text), index, match, rows, least);
  }
}

function addLongest(run: string, index: TermIndex, match: Match, rows: number[], least: number): void {
  for (let at = 0; at < run.length; at += match.length) {
    index.longestAt(run, at, match);
    if (match.row >= 0 && match.length >= least) rows.push(match.row);
  }
}

function addWords(run: string, index: TermIndex, rows: number[], least: number): void {
  for (const word of wordsOfSpaced(run)) {
    const row = word.length < least ? -1 : index.rowOf(word);
    if (row >= 0) rows.push(row);
  }
}
