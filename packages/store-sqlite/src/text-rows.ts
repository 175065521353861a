import { type CanonicalText, type Memory, segment } from "@chest/core";
import { scopeToken } from "./scope.ts";
import type { Transaction } from "./transaction.ts";

/** What a memory is found by, as the text index holds it. */
export interface TextRow {
  readonly scope: string;
  readonly title: string;
  readonly tags: string;
  readonly words: string;
  readonly grams: string;
}

/** The text row of a memory, made anew: the index is told what it held before, since it keeps no copy. */
export function writeText(
  { connection, index }: Transaction,
  memory: Memory,
  text?: Pick<CanonicalText, "words" | "grams">,
): void {
  const { id } = memory;
  const old = connection.get<TextRow>(ROW, id);
  const body = text ?? old ?? segment(memory.content);
  const row = [
    scopeToken(memory),
    old?.title ?? titleWords(memory.entity.name),
    tagWords(memory.tags),
    body.words,
    body.grams,
  ] as const;
  connection.run(
    `INSERT INTO memory_text (memory_id, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (memory_id) DO UPDATE SET (scope, title, tags, words, grams) =
       (excluded.scope, excluded.title, excluded.tags, excluded.words, excluded.grams)`,
    id,
    ...row,
  );
  index((fts) => {
    if (old) fts.run(UNINDEX, id, old.scope, old.title, old.tags, old.words, old.grams);
    fts.run(INDEX, id, ...row);
  });
}

const UNINDEX =
  "INSERT INTO memory_fts (memory_fts, rowid, scope, title, tags, words, grams) VALUES ('delete', ?, ?, ?, ?, ?, ?)";

/** The words of an entity's name, as a row holds them. */
export const titleWords = (name: string): string => {
  const { words, grams } = segment(name);
  return `${words} ${grams}`.trim();
};

/** The words of tags, as a row holds them. */
export const tagWords = (tags: readonly string[]): string => {
  const { words, grams } = segment(tags.join(" "));
  return `${words} ${grams}`.trim();
};

/** Changes parts of a text row; one that is missing stays so. */
export function reindex({ connection, index }: Transaction, id: number, change: Partial<TextRow>): void {
  const old = connection.get<TextRow>(ROW, id);
  if (!old) return;
  const { scope, title, tags, words, grams } = { ...old, ...change };
  connection.run(
    "UPDATE memory_text SET scope = ?, title = ?, tags = ?, words = ?, grams = ? WHERE memory_id = ?",
    ...[scope, title, tags, words, grams, id],
  );
  index((fts) => {
    fts.run(UNINDEX, id, old.scope, old.title, old.tags, old.words, old.grams);
    fts.run(INDEX, id, scope, title, tags, words, grams);
  });
}

/** Takes a text row out of the table and out of the index. */
export function dropText({ connection, index }: Transaction, id: number): void {
  const old = connection.get<TextRow>(ROW, id);
  if (!old) return;
  connection.run("DELETE FROM memory_text WHERE memory_id = ?", id);
  index((fts) => fts.run(UNINDEX, id, old.scope, old.title, old.tags, old.words, old.grams));
}

const ROW = "SELECT scope, title, tags, words, grams FROM memory_text WHERE memory_id = ?";
const INDEX = "INSERT INTO memory_fts (rowid, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)";
