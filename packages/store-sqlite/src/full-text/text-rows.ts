import { segment } from "@chest/core/text";
import { type ScopedRow, scopeOf, scopeOfRow } from "@chest/store/database/rows";
import type { TextWrites } from "@chest/store/database/transaction";
import { headingTokens, tokensOf } from "@chest/store/memories/text-tokens";
import type { Statements } from "../database/connection.ts";

/** Row of the text index: tokens joined by spaces. */
export interface TextRow {
  readonly scope: string;
  readonly title: string;
  readonly tags: string;
  readonly words: string;
  readonly grams: string;
}

/** A memory's fields from which its text row is built. */
export interface TextSource extends ScopedRow {
  readonly id: number;
  readonly content: string;
  readonly entity: string;
  readonly title: string | null;
  readonly name: string | null;
  readonly tags: string | null;
}

/** SELECT of those fields, without a condition. */
export const TEXT_SOURCES = `SELECT m.id, m.content, m.space, m.archived_at, m.superseded_by_id, m.title, m.name, e.name AS entity,
    (SELECT group_concat(tag, ' ') FROM memory_tags t WHERE t.memory_id = m.id) AS tags
  FROM memories m JOIN entities e ON e.id = m.entity_id`;

export const textRowOf = (source: TextSource): TextRow => ({
  scope: scopeOfRow(source),
  title: headingTokens(source.entity, source),
  tags: tokensOf(source.tags ?? ""),
  ...segment(source.content),
});

export const readTextRow = (connection: Statements, id: number): TextRow | undefined =>
  connection.get<TextRow>("SELECT scope, title, tags, words, grams FROM memory_text WHERE memory_id = ?", id);

/** Replaces a row. The index needs the old contents to remove them, because it keeps no copy. */
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
    if (old) unindex(fts, id, old);
    fts.run("INSERT INTO memory_fts (rowid, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)", id, ...row);
  });
}

const unindex = (fts: Statements, id: number, { scope, title, tags, words, grams }: TextRow) =>
  fts.run(UNINDEX, id, scope, title, tags, words, grams, id);

// During a rebuild, rows that are not indexed yet cannot be removed from the index.
const UNINDEX = `INSERT INTO memory_fts (memory_fts, rowid, scope, title, tags, words, grams)
  SELECT 'delete', ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM memory_fts_docsize WHERE id = ?)`;

/** Connection to a text row, and the index that it is in. */
export interface Indexing {
  readonly sync: Statements;
  /** Runs a task on the index at the end of the transaction. */
  readonly index: (task: (connection: Statements) => void) => void;
}

/** Changes parts of a text row; a missing row stays missing. */
function changeTextRow({ sync: connection, index }: Indexing, id: number, change: Partial<TextRow>): void {
  const old = readTextRow(connection, id);
  if (old) putTextRow(connection, index, id, old, { ...old, ...change });
}

/** Removes a text row from the table and the index. */
function dropTextRow({ sync: connection, index }: Indexing, id: number): void {
  const old = readTextRow(connection, id);
  if (!old) return;
  connection.run("DELETE FROM memory_text WHERE memory_id = ?", id);
  index((fts) => unindex(fts, id, old));
}

/** Text row writes of a transaction. */
export const writesOfText = (tx: Indexing): TextWrites => ({
  async write(memory, text, { isRetitled = false } = {}) {
    const old = readTextRow(tx.sync, memory.id);
    const { words, grams } = text ?? old ?? segment(memory.content);
    putTextRow(tx.sync, tx.index, memory.id, old, {
      scope: scopeOf(memory),
      title: (isRetitled ? undefined : old?.title) ?? headingTokens(memory.entity.name, memory),
      tags: tokensOf(memory.tags.join(" ")),
      words,
      grams,
    });
  },
  async change(id, change) {
    changeTextRow(tx, id, change);
  },
  async move(rows) {
    for (const { id, scope } of rows) changeTextRow(tx, id, { scope });
  },
  async drop(id) {
    dropTextRow(tx, id);
  },
});
