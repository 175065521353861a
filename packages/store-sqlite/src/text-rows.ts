import { segment } from "@chest/core";
import type { Statements } from "./transaction.ts";

/** What the text index holds of a memory: tokens joined by blanks. */
export interface TextRow {
  readonly scope: string;
  readonly title: string;
  readonly tags: string;
  readonly words: string;
  readonly grams: string;
}

/** Words and grams of a short text, in one column. */
export function tokensOf(text: string): string {
  const { words, grams } = segment(text);
  return `${words} ${grams}`.trim();
}

export const readTextRow = (connection: Statements, id: number): TextRow | undefined =>
  connection.get<TextRow>("SELECT scope, title, tags, words, grams FROM memory_text WHERE memory_id = ?", id);

/** Puts a row in the place of the old one; the index is told what it held before, since it keeps no copy. */
export function putTextRow(
  connection: Statements,
  index: (task: (connection: Statements) => void) => void,
  id: number,
  old: TextRow | undefined,
  { scope, title, tags, words, grams }: TextRow,
): void {
  const row = [scope, title, tags, words, grams] as const;
  connection.run(
    `INSERT INTO memory_text (memory_id, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (memory_id) DO UPDATE SET (scope, title, tags, words, grams) =
       (excluded.scope, excluded.title, excluded.tags, excluded.words, excluded.grams)`,
    id,
    ...row,
  );
  index((fts) => {
    if (old) fts.run(UNINDEX, id, old.scope, old.title, old.tags, old.words, old.grams);
    fts.run("INSERT INTO memory_fts (rowid, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)", id, ...row);
  });
}

const UNINDEX =
  "INSERT INTO memory_fts (memory_fts, rowid, scope, title, tags, words, grams) VALUES ('delete', ?, ?, ?, ?, ?, ?)";
