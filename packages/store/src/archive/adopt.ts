import { spaceOf } from "@chest/core/access";
import { DECIDED_HERE, incomingTags, incomingVector, type MemoryRecord } from "@chest/core/archive";
import { isSameIdentity, KNOWN_IDENTITIES } from "@chest/core/embedding";
import { canonical, flagsOf } from "@chest/core/memory";
import { type EmbeddingIdentity, SOURCE_GONE } from "@chest/core/ports";
import { cleanJson, redact } from "@chest/core/redaction";
import { SEGMENTER_VERSION, wellFormed } from "@chest/core/text";
import type { SqlValue } from "../database/connection.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { findIdentity, readIdentities } from "../embedding/identities.ts";
import type { VectorParts } from "../embedding/vector-writes.ts";
import { raiseTombstone } from "../memories/tombstones.ts";
import { putFlags } from "../memories/versions.ts";
import { memberNamed } from "./places.ts";

/** Project, author and entity of an imported memory, by this store's ids. */
export interface Placed {
  readonly entityId: number;
  readonly projectId: number | undefined;
  readonly author: { readonly id: number; readonly name: string };
  readonly keepsId: boolean;
}

export interface Adopted {
  readonly id: number;
  readonly vectorsKept: number;
}

/** Engine-specific parts of an import of memories. */
export interface AdoptParts {
  /** Columns of this release's table of memories by name, with their types. */
  readonly columns: ReadonlyMap<string, string>;
  readonly vectors: VectorParts;
  /** Runs an insert in a savepoint; undefined if the database refuses its values. */
  tried<T>(insert: () => Promise<T>): Promise<T | undefined>;
}

/** Inserts one imported memory with everything that belongs to it; undefined if the database refuses its values. */
export async function adopt(
  tx: Transaction,
  parts: AdoptParts,
  record: MemoryRecord,
  placed: Placed,
): Promise<Adopted | undefined> {
  const text = canonical(record.content);
  const id = await insert(tx, parts, record, placed, text);
  if (id === undefined) return undefined;
  tx.touch(id);
  await insertParts(tx, id, record);
  const row = await tx.connection.get<MemoryRow>(
    `SELECT ${memoryColumns(tx.connection.dialect)} ${MEMORY_FROM} WHERE m.id = ?`,
    id,
  );
  if (!row) throw new Error(`memory ${id} vanished inside its transaction`);
  const memory = toMemory(row);
  putFlags(tx, { id, flags: flagsOf({ ...memory, content: text.content }) });
  await tx.texts.write(memory, text);
  const isGone = record.versions.some(
    ({ version, reason }) => version === memory.version - 1 && reason === SOURCE_GONE,
  );
  if (memory.archivedReason === "forget" && !isGone) await raiseTombstone(tx, memory);

  let vectorsKept = 0;
  // Vectors are dropped if redaction changed the text, because they belong to the old text.
  const vectors = text.content === record.content ? record.vectors : [];
  for (const given of vectors) {
    const { vector: _, ...identity } = given;
    const read = (await isKnown(tx, identity)) ? incomingVector(given) : undefined;
    if (!read) continue;
    await parts.vectors.put(memory, identity, read);
    vectorsKept++;
  }
  return { id, vectorsKept };
}

/** Whether the store uses an identity, has vectors of it, or could use it. */
async function isKnown({ connection }: Transaction, identity: EmbeddingIdentity): Promise<boolean> {
  if (KNOWN_IDENTITIES.some((known) => isSameIdentity(known, identity))) return true;
  const { active } = await readIdentities(connection);
  return isSameIdentity(active, identity) || (await findIdentity(connection, identity)) !== undefined;
}

async function insert(
  tx: Transaction,
  { columns, tried }: AdoptParts,
  { id, uid, visibility, columns: cells }: MemoryRecord,
  { entityId, projectId, author, keepsId }: Placed,
  text: ReturnType<typeof canonical>,
): Promise<number | undefined> {
  const { connection, nowS } = tx;
  const given = Object.entries(cells).filter(([name]) => columns.has(name) && !DECIDED_HERE.has(name));
  const values: Record<string, SqlValue> = {
    ...Object.fromEntries(given.map(([name, value]) => [name, cellFor(columns.get(name), value)])),
    uid,
    entity_id: entityId,
    project_id: projectId ?? null,
    author_id: author.id,
    visibility,
    space: spaceOf(visibility, author, projectId),
    content: text.content,
    content_hash: text.contentHash,
    content_sha1: text.contentSha1,
    segmenter_version: SEGMENTER_VERSION,
    known_at: nowS,
  };
  if (keepsId && (await connection.get("SELECT 1 FROM memories WHERE id = ?", id)) === undefined) values.id = id;
  const names = Object.keys(values);
  const sql = `INSERT INTO memories (${names.map((name) => `"${name}"`).join(", ")})
    VALUES (${names.map(() => "?").join(", ")}) RETURNING id`;
  return (await tried(() => connection.get<{ id: number }>(sql, ...Object.values(values))))?.id;
}

function cellFor(type: string | undefined, value: string | number | null): SqlValue {
  if (typeof value === "string") return clean(value);
  return type === "bool" && value !== null ? value !== 0 : value;
}

const clean = (text: string): string => redact(wellFormed(text));

async function insertParts(tx: Transaction, id: number, record: MemoryRecord): Promise<void> {
  const { connection } = tx;
  const tags = incomingTags(record.tags);
  if (tags.length > 0)
    connection.later(
      `INSERT INTO memory_tags (memory_id, tag)
       SELECT CAST(? AS bigint), v.value FROM ${connection.dialect.valuesOf("text", "v")} WHERE true ON CONFLICT DO NOTHING`,
      id,
      tags,
    );
  for (const { path, role } of record.files)
    connection.later(
      "INSERT INTO memory_files (memory_id, path, role) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      id,
      clean(path),
      role,
    );
  for (const { path, line, end_line, hash, git_commit, status, checked_at } of record.sources)
    connection.later(
      `INSERT INTO memory_sources (memory_id, path, line, end_line, hash, git_commit, status, checked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      clean(String(path)),
      line ?? null,
      end_line ?? null,
      hash ?? null,
      git_commit ?? null,
      status ?? "unknown",
      checked_at ?? null,
    );
  for (const { version, snapshot, op, reason, author, changed_at } of record.versions)
    connection.later(
      `INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      version,
      cleanJson(snapshot, clean),
      op,
      reason,
      (await memberNamed(tx, author)).id,
      changed_at,
    );
  if (record.accesses.length > 0)
    connection.later(
      `INSERT INTO memory_access_log (memory_id, accessed_at)
       SELECT CAST(? AS bigint), v.value FROM ${connection.dialect.valuesOf("bigint", "v")}`,
      id,
      record.accesses,
    );
}
