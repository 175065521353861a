import {
  canonical,
  cleanJson,
  DECIDED_HERE,
  type EmbeddingIdentity,
  flagsOf,
  incomingTags,
  incomingVector,
  isSameIdentity,
  KNOWN_IDENTITIES,
  type MemoryRecord,
  type Reach,
  redact,
  SEGMENTER_VERSION,
  type Space,
  type StoredVector,
  spaceOf,
  wellFormed,
} from "@chest/core";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { findIdentity } from "../embedding/identities.ts";
import { vectorWrites } from "../embedding/vector-writes.ts";
import { putFlags, writeText } from "../memories/memory-writes.ts";
import type { Transaction } from "../writing/transaction.ts";
import { memberNamed } from "./places.ts";

/** Space, member and project of an incoming memory, in this store's own ids. */
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

/** Writes one memory that comes in, with all that belongs to it; undefined where the store refuses its values. */
export async function adopt(tx: Transaction, record: MemoryRecord, placed: Placed): Promise<Adopted | undefined> {
  const text = canonical(record.content);
  const id = insert(tx, record, placed, text);
  if (id === undefined) return undefined;
  tx.touch(id);
  for (const tag of incomingTags(record.tags)) {
    tx.sync.run("INSERT OR IGNORE INTO memory_tags (memory_id, tag) VALUES (?, ?)", id, tag);
  }
  insertParts(tx, id, record);
  const row = tx.sync.get<MemoryRow>(`SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id = ?`, id);
  if (!row) throw new Error(`memory ${id} vanished inside its transaction`);
  const memory = toMemory(row);
  putFlags(tx, { id, flags: flagsOf({ ...memory, content: text.content }) });
  writeText(tx, memory, text);

  let vectorsKept = 0;
  // A vector was made of the words as they were: changed ones make it another's.
  const vectors = text.content === record.content ? record.vectors : [];
  const stored: StoredVector[] = [];
  const puts = vectorWrites(tx, NOWHERE, stored);
  for (const given of vectors) {
    const { vector: _, ...identity } = given;
    const read = isKnown(tx, identity) ? incomingVector(given) : undefined;
    if (!read) continue;
    await puts.put(memory, identity, read);
    vectorsKept++;
  }
  return { id, vectorsKept };
}

const NOWHERE = (_: Reach): readonly Space[] => [];

const isKnown = ({ sync: connection }: Transaction, identity: EmbeddingIdentity): boolean =>
  findIdentity(connection, identity) !== undefined || KNOWN_IDENTITIES.some((known) => isSameIdentity(known, identity));

function insert(
  tx: Transaction,
  { id, uid, visibility, columns }: MemoryRecord,
  { entityId, projectId, author, keepsId }: Placed,
  text: ReturnType<typeof canonical>,
): number | undefined {
  const { sync: connection, nowS } = tx;
  const known = new Set(connection.all<{ name: string }>("SELECT name FROM pragma_table_info('memories')").map(nameOf));
  const given = Object.entries(columns).filter(([name]) => known.has(name) && !DECIDED_HERE.has(name));
  const values: Record<string, string | number | null> = {
    ...Object.fromEntries(given.map(([name, value]) => [name, typeof value === "string" ? clean(value) : value])),
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
  if (keepsId && connection.get("SELECT 1 FROM memories WHERE id = ?", id) === undefined) values.id = id;
  const names = Object.keys(values);
  try {
    const row = connection.get<{ id: number }>(
      `INSERT INTO memories (${names.map((name) => `"${name}"`).join(", ")})
       VALUES (${names.map(() => "?").join(", ")}) RETURNING id`,
      ...Object.values(values),
    );
    return row?.id;
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_CONSTRAINT")) return undefined;
    throw error;
  }
}

const nameOf = ({ name }: { name: string }): string => name;
const clean = (text: string): string => redact(wellFormed(text));

function insertParts(tx: Transaction, id: number, record: MemoryRecord): void {
  const { sync: connection } = tx;
  for (const { path, role } of record.files) {
    connection.run(
      "INSERT OR IGNORE INTO memory_files (memory_id, path, role) VALUES (?, ?, ?)",
      id,
      clean(path),
      role,
    );
  }
  for (const { path, line, end_line, hash, git_commit, status, checked_at } of record.sources) {
    connection.run(
      `INSERT OR IGNORE INTO memory_sources (memory_id, path, line, end_line, hash, git_commit, status, checked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      clean(String(path)),
      line ?? null,
      end_line ?? null,
      hash ?? null,
      git_commit ?? null,
      status ?? "unknown",
      checked_at ?? null,
    );
  }
  for (const { version, snapshot, op, reason, author, changed_at } of record.versions) {
    connection.run(
      `INSERT OR IGNORE INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      version,
      cleanJson(snapshot, clean),
      op,
      reason,
      memberNamed(tx, author).id,
      changed_at,
    );
  }
  for (const at of record.accesses) {
    connection.run("INSERT INTO memory_access_log (memory_id, accessed_at) VALUES (?, ?)", id, at);
  }
}
