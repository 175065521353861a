import { randomUUIDv7 } from "node:crypto";
import {
  type CanonicalText,
  expiryOf,
  isExpired,
  isOpenToReadersOf,
  type Memory,
  type MemoryRows,
  type MemoryWrites,
  SEGMENTER_VERSION,
  spaceOf,
} from "@chest/core";
import { lockOf, type Value } from "../database/connection.ts";
import { toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { writeText } from "../search/text-rows.ts";

const SAME_WORDS = `SELECT id FROM memories
  WHERE space = ? AND content_hash = ? AND archived_at IS NULL AND entity_id = ? AND layer = ? ORDER BY id LIMIT 1`;

const INSERT = `INSERT INTO memories (uid, entity_id, project_id, author_id, token_id, visibility, space, client, session_id, content,
    content_hash, content_sha1, segmenter_version, layer, importance, created_at, updated_at, expires_at, expires_explicit)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;

const LINK = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`;

interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly origin: "manual" | "auto";
  readonly note?: string;
}

/** Links two memories; a link of that type that is there stays as it is. */
export function link({ connection, caller, nowS }: Transaction, { from, to, type, origin, note }: Link): void {
  const values: Value[] = [from, to, type, note ?? null, origin, caller.member.id, nowS];
  connection.later(`${LINK} ON CONFLICT DO NOTHING`, ...values);
}

export function memoryWrites(tx: Transaction, reads: MemoryRows): MemoryWrites {
  const { connection, caller, now } = tx;

  async function reread(id: number): Promise<Memory> {
    const memory = await reads.byId(id);
    if (!memory) throw new Error(`memory ${id} vanished inside its transaction`);
    return memory;
  }

  return {
    ...reads,

    async sameWords({ entity, text, layer, visibility, projectKey }) {
      const space = spaceOf(visibility, caller.member, await tx.projectId(projectKey));
      // Of two who say the same at once, the second waits here and finds what the first has written.
      connection.later("SELECT pg_advisory_xact_lock(1, ?)", lockOf(`${space}\n${text.contentHash}`));
      const twin = await connection.get<{ id: number }>(SAME_WORDS, space, text.contentHash, entity.id, layer);
      return twin && reads.byId(twin.id);
    },

    async add({ entity, layer, text, tags, importance, visibility, projectKey, expiresAt, hasOwnExpiry }) {
      const uid = randomUUIDv7();
      const projectId = await tx.projectId(projectKey);
      const space = spaceOf(visibility, caller.member, projectId);
      const row = await connection.get<{ id: number }>(
        INSERT,
        uid,
        entity.id,
        projectId ?? null,
        caller.member.id,
        caller.token?.id ?? null,
        visibility,
        space,
        tx.client,
        tx.session ?? null,
        text.content,
        text.contentHash,
        text.contentSha1,
        SEGMENTER_VERSION,
        layer,
        importance,
        tx.nowS,
        tx.nowS,
        expiresAt ? toSeconds(expiresAt) : null,
        hasOwnExpiry,
      );
      if (!row) throw new Error("an insert returned no id");
      putTags(tx, row.id, tags);
      tx.touch(row.id);
      const memory: Memory = {
        id: row.id,
        uid,
        entity: { id: entity.id, name: entity.name, kind: entity.kind, momentum: entity.momentum },
        layer,
        content: text.content,
        contentHash: text.contentHash,
        tags: [...tags].sort(),
        importance,
        visibility,
        space,
        projectId,
        authorId: caller.member.id,
        createdAt: now,
        updatedAt: now,
        lastAccessedAt: undefined,
        accessCount: 0,
        expiresAt,
        hasOwnExpiry,
        archivedAt: undefined,
        archivedReason: undefined,
        supersededById: undefined,
        activation: undefined,
        version: 1,
      };
      await writeText(tx, memory, text, true);
      return memory;
    },

    async revise(memory, { text, layer, importance, tags, expiresAt }) {
      keepVersion(tx, memory, "revise");
      if (text) putWords(tx, memory.id, text);
      if (layer) connection.later("UPDATE memories SET layer = ? WHERE id = ?", layer, memory.id);
      if (importance !== undefined)
        connection.later("UPDATE memories SET importance = ? WHERE id = ?", importance, memory.id);
      if (expiresAt !== undefined) {
        connection.later(
          "UPDATE memories SET expires_at = ?, expires_explicit = expires_explicit AND ? WHERE id = ?",
          expiresAt === null ? null : toSeconds(expiresAt),
          expiresAt !== null,
          memory.id,
        );
      }
      if (tags) {
        connection.later("DELETE FROM memory_tags WHERE memory_id = ?", memory.id);
        putTags(tx, memory.id, tags);
      }
      const revised = await reread(memory.id);
      if (text || tags) await writeText(tx, revised, text);
      return revised;
    },

    async archive(memory, reason) {
      keepVersion(tx, memory, "archive", reason);
      connection.later(
        "UPDATE memories SET archived_at = ?, archived_reason = ? WHERE id = ?",
        tx.nowS,
        reason,
        memory.id,
      );
      await writeText(tx, await reread(memory.id));
    },

    async restore(memory) {
      keepVersion(tx, memory, "restore");
      const isOver = memory.expiresAt !== undefined && isExpired(memory, now);
      const expiresAt = isOver ? expiryOf(memory.layer, now) : memory.expiresAt;
      connection.later(
        `UPDATE memories SET archived_at = NULL, archived_reason = NULL, superseded_by_id = NULL, supersession_confidence = NULL,
           last_accessed_at = ?, expires_at = ?, expires_explicit = ? WHERE id = ?`,
        tx.nowS,
        expiresAt ? toSeconds(expiresAt) : null,
        memory.hasOwnExpiry && !isOver,
        memory.id,
      );
      if (memory.supersededById !== undefined) {
        const [from, to] = [memory.supersededById, memory.id];
        connection.later("DELETE FROM memory_links WHERE from_id = ? AND to_id = ? AND type = 'supersedes'", from, to);
        // Somebody wants both: no pass puts one in the other's place again.
        connection.later(
          `${LINK} ON CONFLICT (from_id, to_id, type) DO UPDATE
             SET (note, origin, author_id, created_at) = (NULL, 'manual', excluded.author_id, excluded.created_at)`,
          from,
          to,
          "related_to",
          null,
          "manual",
          caller.member.id,
          tx.nowS,
        );
      }
      const restored = await reread(memory.id);
      await writeText(tx, restored);
      return restored;
    },

    async isOpenToReadersOf(read, other) {
      const places = await tx.places();
      return isOpenToReadersOf(read.space, other.space, (space) => places.isOpen(space));
    },

    async supersede(old, successorId) {
      keepVersion(tx, old, "supersede");
      connection.later(
        "UPDATE memories SET archived_at = ?, archived_reason = 'superseded', superseded_by_id = ? WHERE id = ?",
        tx.nowS,
        successorId,
        old.id,
      );
      link(tx, { from: successorId, to: old.id, type: "supersedes", origin: "manual" });
      tx.event(old.entity.id, "memory_superseded", { memory_id: old.id, by: successorId });
      await writeText(tx, await reread(old.id));
    },
  };
}

function putTags({ connection }: Transaction, id: number, tags: readonly string[]): void {
  if (tags.length > 0)
    connection.later("INSERT INTO memory_tags (memory_id, tag) SELECT ?::bigint, unnest(?::text[])", id, tags);
}

function putWords({ connection }: Transaction, id: number, text: CanonicalText): void {
  connection.later(
    `UPDATE memories SET content = ?, content_hash = ?, content_sha1 = ?, segmenter_version = ?, embedding_status = 'pending' WHERE id = ?`,
    text.content,
    text.contentHash,
    text.contentSha1,
    SEGMENTER_VERSION,
    id,
  );
  connection.later("DELETE FROM vectors WHERE memory_id = ?", id);
}

/** Other words for a memory that nobody has changed: what found it says them now. No version is kept. */
export async function changeWords(tx: Transaction, memory: Memory, text: CanonicalText): Promise<void> {
  putWords(tx, memory.id, text);
  await writeText(tx, memory, text);
}

/** The state before a change of meaning, so that it can be read and brought back. */
function keepVersion(
  { connection, caller, nowS, touch }: Transaction,
  memory: Memory,
  op: string,
  reason: string | null = null,
): void {
  const { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById } = memory;
  const snapshot = { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById };
  connection.later(
    "INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    memory.id,
    memory.version,
    JSON.stringify(snapshot),
    op,
    reason,
    caller.member.id,
    nowS,
  );
  connection.later(
    "UPDATE memories SET version = version + 1, updated_at = ?, edited_at = ? WHERE id = ?",
    nowS,
    nowS,
    memory.id,
  );
  touch(memory.id);
}
