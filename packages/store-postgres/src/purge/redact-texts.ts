import { randomUUID } from "node:crypto";
import {
  type Clean,
  canonical,
  cleanJson,
  normaliseName,
  SEGMENTER_VERSION,
  TEXT_PLACES,
  type TextPlace,
} from "@chest/core";
import type { Value } from "../database/connection.ts";
import type { Transaction } from "../database/transaction.ts";
import { changeTextRow, headingTokens, tokensOf } from "../search/text-rows.ts";

interface MemoryText {
  readonly id: number;
  readonly content: string;
  readonly title: string | null;
  readonly entity: string;
  readonly tags: readonly string[];
}

/** Writes every text of some memories anew, their versions' too. */
export async function rewriteTexts(tx: Transaction, ids: readonly number[], clean: Clean): Promise<void> {
  const { connection } = tx;
  await connection.all("SELECT id FROM memories WHERE id = ANY (?) ORDER BY id FOR UPDATE", ids);
  for (const place of TEXT_PLACES.filter(({ memory, column }) => memory !== "NULL" && column !== "content"))
    await rewriteColumn(tx, place, `${place.memory} = ANY (?)`, clean, [ids]);
  const rows = await connection.all<MemoryText>(
    `SELECT m.id, m.content, m.title, e.name AS entity,
       ARRAY(SELECT tag FROM memory_tags t WHERE t.memory_id = m.id ORDER BY tag) AS tags
     FROM memories m JOIN entities e ON e.id = m.entity_id WHERE m.id = ANY (?)`,
    ids,
  );
  for (const { id, content, title, entity, tags } of rows) {
    const text = canonical(clean(content));
    if (text.content !== content) {
      connection.later(
        `UPDATE memories SET content = ?, content_hash = ?, content_sha1 = ?, segmenter_version = ?,
           embedding_status = 'pending', keywords = NULL, version = version + 1, updated_at = ? WHERE id = ?`,
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
    const heading = headingTokens(clean(entity), title && clean(title));
    await changeTextRow(tx, id, { title: heading, tags: tokensOf(tags.join(" ")), words, grams });
    tx.touch(id);
  }
}

/** Writes the texts that belong to no memory anew: names of entities, snapshots of sessions, work. */
export async function rewriteOwnerless(tx: Transaction, clean: Clean): Promise<void> {
  await renameEntities(tx, clean);
  for (const place of TEXT_PLACES.filter(
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
    // Two names that differed in their secret alone stay two.
    await connection.run(
      "UPDATE entities SET name = ?, normalised_name = ?, folded_name = ? WHERE id = ?",
      renamed,
      isTaken ? `${normal} ${id}` : normal,
      renamed.toLowerCase(),
      id,
    );
    connection.later("DELETE FROM entity_aliases WHERE entity_id = ?", id);
    const ofIt = await connection.all<{ id: number; title: string | null }>(
      "SELECT id, title FROM memories WHERE entity_id = ? ORDER BY id",
      id,
    );
    for (const memory of ofIt)
      await changeTextRow(tx, memory.id, { title: headingTokens(renamed, memory.title && clean(memory.title)) });
  }
}

async function rewriteColumn(
  { connection }: Transaction,
  { table, column, memory, isJson }: TextPlace,
  where: string,
  clean: Clean,
  values: readonly Value[],
): Promise<void> {
  const texts = await connection.all<{ text: string }>(
    `SELECT DISTINCT ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL AND ${where}`,
    ...values,
  );
  for (const { text } of texts) {
    const cleaned = isJson ? cleanJson(text, clean) : clean(text);
    if (cleaned === text) continue;
    // Of two tags or files that become equal, one is enough.
    if (UNIQUE.has(table))
      await connection.run(
        `DELETE FROM ${table} t WHERE t.${column} = ? AND ${where}
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

const SESSIONS = [
  ["sessions", "id"],
  ["memories", "session_id"],
  ["session_file_edits", "session_id"],
  ["session_snapshots", "session_id"],
  ["work_items", "session_id"],
] as const;

/** Writes names anew that people give and programs go by: keys of projects, ids of sessions, labels of tokens. */
export async function rewriteNames(tx: Transaction, clean: Clean): Promise<void> {
  const { connection } = tx;
  await renameProjects(tx, clean);
  await renameSessions(tx, clean);
  for (const { id, label } of await connection.all<{ id: number; label: string }>("SELECT id, label FROM tokens"))
    if (clean(label) !== label) connection.later("UPDATE tokens SET label = ? WHERE id = ?", clean(label), id);
}

interface ProjectName {
  readonly id: number;
  readonly key: string;
  readonly display_name: string | null;
}

async function renameProjects({ connection }: Transaction, clean: Clean): Promise<void> {
  const sql = "SELECT id, key, display_name FROM projects ORDER BY id FOR UPDATE";
  for (const { id, key, display_name: shown } of await connection.all<ProjectName>(sql)) {
    const renamed = clean(key);
    if (shown !== null && clean(shown) !== shown)
      connection.later("UPDATE projects SET display_name = ? WHERE id = ?", clean(shown), id);
    if (renamed === key) continue;
    const isTaken = await connection.get("SELECT 1 FROM projects WHERE key = ? AND id <> ?", renamed, id);
    // Two that differed in their secret alone stay two: they may be open to others.
    await connection.run("UPDATE projects SET key = ? WHERE id = ?", isTaken ? `${renamed} ${id}` : renamed, id);
  }
}

async function renameSessions({ connection }: Transaction, clean: Clean): Promise<void> {
  const every = SESSIONS.map(([table, column]) => `SELECT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL`);
  for (const { id } of await connection.all<{ id: string }>(every.join(" UNION "))) {
    if (clean(id) === id) continue;
    const renamed = `redacted-${randomUUID()}`;
    // Edits follow the name of their session by themselves.
    for (const [table, column] of SESSIONS)
      connection.later(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, renamed, id);
  }
}
