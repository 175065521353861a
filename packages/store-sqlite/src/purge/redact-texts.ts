import { type Clean, canonical, cleanJson, normaliseName, SEGMENTER_VERSION, type TextPlace } from "@chest/core";
import type { Statements } from "../database/connection.ts";
import { changeTextRow, headingTokens, tokensOf } from "../full-text/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";
import { TEXT_PLACES } from "./stored-texts.ts";

interface MemoryText {
  readonly id: number;
  readonly uid: string;
  readonly content: string;
  readonly entity: string;
  readonly title: string | null;
}

/** Writes every text of some memories anew, their versions' too. @returns their uids. */
export function rewriteTexts(tx: Transaction, ids: readonly number[], clean: Clean): string[] {
  const { sync: connection } = tx;
  for (const place of TEXT_PLACES.filter(({ memory, column }) => memory !== "NULL" && column !== "content"))
    rewriteColumn(connection, place, `${place.memory} IN (SELECT value FROM json_each(?))`, clean, [
      JSON.stringify(ids),
    ]);
  const rows = connection.all<MemoryText>(
    `SELECT m.id, m.uid, m.content, m.title, e.name AS entity FROM memories m JOIN entities e ON e.id = m.entity_id
     WHERE m.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  for (const { id, content, entity, title } of rows) {
    const text = canonical(clean(content));
    if (text.content !== content) {
      connection.run(
        `UPDATE memories SET content = ?, content_hash = ?, content_sha1 = ?, segmenter_version = ?,
           embedding_status = 'pending', keywords = NULL, version = version + 1, updated_at = ? WHERE id = ?`,
        text.content,
        text.contentHash,
        text.contentSha1,
        SEGMENTER_VERSION,
        tx.nowS,
        id,
      );
      connection.run("DELETE FROM vectors WHERE memory_id = ?", id);
    }
    const tags = connection.all<{ tag: string }>("SELECT tag FROM memory_tags WHERE memory_id = ?", id);
    const { words, grams } = text;
    changeTextRow(tx, id, {
      title: headingTokens(clean(entity), title && clean(title)),
      tags: tokensOf(tags.map(({ tag }) => tag).join(" ")),
      words,
      grams,
    });
    tx.touch(id);
  }
  return rows.map(({ uid }) => uid);
}

/** Writes the texts that belong to no memory anew: names of entities, snapshots of sessions, work. */
export function rewriteOwnerless(tx: Transaction, clean: Clean): void {
  const { sync: connection } = tx;
  renameEntities(tx, clean);
  for (const place of TEXT_PLACES.filter(
    ({ memory, table, column }) => memory === "NULL" && !(table === "entities" && column === "name"),
  ))
    rewriteColumn(connection, place, "1", clean, []);
}

function renameEntities(tx: Transaction, clean: Clean): void {
  const { sync: connection } = tx;
  for (const { id, space, name, kind } of connection.all<{ id: number; space: string; name: string; kind: string }>(
    "SELECT id, space, name, kind FROM entities",
  )) {
    const renamed = clean(name);
    if (renamed === name) continue;
    const normal = normaliseName(renamed) || renamed.toLowerCase();
    const isTaken = connection.get(
      "SELECT 1 FROM entities WHERE space = ? AND kind = ? AND normalised_name = ? AND id <> ?",
      space,
      kind,
      normal,
      id,
    );
    // Two names that differed in their secret alone stay two.
    const own = isTaken ? `${normal} ${id}` : normal;
    connection.run(
      "UPDATE entities SET name = ?, normalised_name = ?, folded_name = ? WHERE id = ?",
      renamed,
      own,
      renamed.toLowerCase(),
      id,
    );
    connection.run("DELETE FROM entity_aliases WHERE entity_id = ?", id);
    const ofIt = connection.all<{ id: number; title: string | null }>(
      "SELECT id, title FROM memories WHERE entity_id = ?",
      id,
    );
    for (const memory of ofIt)
      changeTextRow(tx, memory.id, { title: headingTokens(renamed, memory.title && clean(memory.title)) });
  }
}

function rewriteColumn(
  connection: Statements,
  { table, column, isJson }: TextPlace,
  where: string,
  clean: Clean,
  values: readonly string[],
): void {
  const texts = connection.all<{ text: string }>(
    `SELECT DISTINCT ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL AND ${where}`,
    ...values,
  );
  for (const { text } of texts) {
    const cleaned = isJson ? cleanJson(text, clean) : clean(text);
    if (cleaned !== text)
      connection.run(
        `UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${column} = ? AND ${where}`,
        cleaned,
        text,
        ...values,
      );
  }
}
