import { canonical, normaliseName } from "@chest/core/memory";
import { type Clean, cleanJson, TEXT_PLACES, type TextPlace } from "@chest/core/redaction";
import { SEGMENTER_VERSION } from "@chest/core/text";
import { statusWithoutVector } from "../database/condition.ts";
import type { SqlValue } from "../database/connection.ts";
import { listIn } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";
import { headingTokens, tokensOf } from "../memories/text-tokens.ts";

interface MemoryText {
  readonly id: number;
  readonly content: string;
  readonly title: string | null;
  readonly name: string | null;
  readonly entity: string;
  readonly tags: readonly string[] | string;
}

const cleanedBy =
  (clean: Clean) =>
  ({ title, name }: Pick<MemoryText, "title" | "name">) => ({
    title: title && clean(title),
    name: name && clean(name),
  });

/** Redacts every text of some memories and their versions. */
export async function rewriteTexts(tx: Transaction, ids: readonly number[], clean: Clean): Promise<void> {
  const { connection } = tx;
  const d = connection.dialect;
  await connection.all(`SELECT id FROM memories WHERE ${d.isOneOf("id")} ORDER BY id ${d.forUpdate}`, ids);
  for (const place of TEXT_PLACES.filter(({ memory, column }) => memory !== "NULL" && column !== "content"))
    await rewriteColumn(tx, place, d.isOneOf(place.memory), clean, [ids]);
  const rows = await connection.all<MemoryText>(
    `SELECT m.id, m.content, m.title, m.name, e.name AS entity,
       ${d.listOf("tag", "memory_tags t WHERE t.memory_id = m.id")} AS tags
     FROM memories m JOIN entities e ON e.id = m.entity_id WHERE ${d.isOneOf("m.id")}`,
    ids,
  );
  const cleaned = cleanedBy(clean);
  for (const { id, content, title, name, entity, tags } of rows) {
    const text = canonical(clean(content));
    if (text.content !== content) {
      connection.later(
        `UPDATE memories SET content = ?, content_hash = ?, content_sha1 = ?, segmenter_version = ?,
           embedding_status = ${statusWithoutVector("memories")}, keywords = NULL, version = version + 1, updated_at = ? WHERE id = ?`,
        text.content,
        text.contentHash,
        text.contentSha1,
        SEGMENTER_VERSION,
        tx.nowS,
        id,
      );
      connection.later("DELETE FROM vectors WHERE memory_id = ?", id);
    }
    const { words, grams } = text;
    const heading = headingTokens(clean(entity), cleaned({ title, name }));
    await tx.texts.change(id, { title: heading, tags: tokensOf(listIn(tags).join(" ")), words, grams });
    tx.touch(id);
  }
}

/**
 * Redacts texts that belong to no memory: entity names, session snapshots, work items.
 * @param more columns that only one engine has
 */
export async function rewriteOwnerless(tx: Transaction, clean: Clean, more: readonly TextPlace[]): Promise<void> {
  await renameEntities(tx, clean);
  for (const place of [...TEXT_PLACES, ...more].filter(
    ({ memory, table, column }) => memory === "NULL" && !(table === "entities" && column === "name"),
  ))
    await rewriteColumn(tx, place, "true", clean, []);
}

interface EntityName {
  readonly id: number;
  readonly space: string;
  readonly name: string;
  readonly kind: string;
}

async function renameEntities(tx: Transaction, clean: Clean): Promise<void> {
  const { connection } = tx;
  const cleaned = cleanedBy(clean);
  for (const { id, space, name, kind } of await connection.all<EntityName>(
    "SELECT id, space, name, kind FROM entities ORDER BY id",
  )) {
    const renamed = clean(name);
    if (renamed === name) continue;
    const normal = normaliseName(renamed) || renamed.toLowerCase();
    const isTaken = await connection.get(
      "SELECT 1 FROM entities WHERE space = ? AND kind = ? AND normalised_name = ? AND id <> ?",
      space,
      kind,
      normal,
      id,
    );
    // Two names that differed only in a secret stay separate.
    await connection.run(
      "UPDATE entities SET name = ?, normalised_name = ?, folded_name = ? WHERE id = ?",
      renamed,
      isTaken ? `${normal} ${id}` : normal,
      renamed.toLowerCase(),
      id,
    );
    connection.later("DELETE FROM entity_aliases WHERE entity_id = ?", id);
    const ofIt = await connection.all<{ id: number; title: string | null; name: string | null }>(
      "SELECT id, title, name FROM memories WHERE entity_id = ? ORDER BY id",
      id,
    );
    for (const memory of ofIt) await tx.texts.change(memory.id, { title: headingTokens(renamed, cleaned(memory)) });
  }
}

/** Rewrites each distinct text of a column with a function. */
export async function rewriteColumn(
  { connection }: Transaction,
  { table, column, memory, isJson }: TextPlace,
  where: string,
  clean: Clean,
  values: readonly SqlValue[],
): Promise<void> {
  const texts = await connection.all<{ text: string }>(
    `SELECT DISTINCT ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL AND ${where}`,
    ...values,
  );
  for (const { text } of texts) {
    const cleaned = isJson ? cleanJson(text, clean) : clean(text);
    if (cleaned === text) continue;
    // Of two tags or files that become equal, one is removed.
    if (UNIQUE.has(table))
      await connection.run(
        `DELETE FROM ${table} AS t WHERE t.${column} = ? AND ${where}
           AND EXISTS (SELECT 1 FROM ${table} o WHERE o.${memory} = t.${memory} AND o.${column} = ?)`,
        text,
        ...values,
        cleaned,
      );
    await connection.run(
      `UPDATE ${table} SET ${column} = ? WHERE ${column} = ? AND ${where}`,
      cleaned,
      text,
      ...values,
    );
  }
}

const UNIQUE: ReadonlySet<string> = new Set(["memory_tags", "memory_files", "memory_sources"]);
