import { randomUUIDv7 } from "node:crypto";
import {
  type CanonicalText,
  closedProject,
  DEFAULT_METADATA,
  expiryOf,
  flagsOf,
  isExpired,
  isOpenToReadersOf,
  type Memory,
  type MemoryRows,
  type MemoryWrites,
  type Metadata,
  mayWriteTo,
  nameIsTaken,
  noProjectToMoveTo,
  REWORD,
  SEGMENTER_VERSION,
  type Space,
  segment,
  spaceOf,
  subjectForTeam,
  type Visibility,
} from "@chest/core";
import { scopeOf } from "@chest/store/database/rows";
import { headingTokens, tokensOf } from "@chest/store/memories/text-tokens";
import { metadataCells, toSeconds } from "../database/row-mapping.ts";
import { putTextRow, readTextRow } from "../full-text/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";
import { findOrAddIn } from "./entity-writes.ts";

const SAME_WORDS = `SELECT id FROM memories
  WHERE entity_id = ? AND content_hash = ? AND archived_at IS NULL AND space = ? AND layer = ? LIMIT 1`;

const METADATA_COLUMNS = Object.keys(metadataCells(DEFAULT_METADATA));
const METADATA_VALUES = METADATA_COLUMNS.map(() => "?").join(", ");

const INSERT = `INSERT INTO memories (uid, entity_id, project_id, author_id, token_id, visibility, requested_visibility, space, client, session_id, content,
    content_hash, content_sha1, segmenter_version, layer, importance, created_at, updated_at, expires_at, expires_explicit,
    ${METADATA_COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${METADATA_VALUES}) RETURNING id`;

const NAMED = "SELECT id FROM memories WHERE space = ? AND name = ? AND archived_at IS NULL";
const ADD_FILE = "INSERT OR IGNORE INTO memory_files (memory_id, path, role) VALUES (?, ?, 'about')";

export function memoryWrites(tx: Transaction, reads: MemoryRows): MemoryWrites {
  const { sync: connection, caller, now } = tx;

  async function reread(id: number): Promise<Memory> {
    const memory = await reads.byId(id);
    if (!memory) throw new Error(`memory ${id} vanished inside its transaction`);
    return memory;
  }

  return {
    ...reads,

    async sameWords({ entity, text, layer, visibility, projectKey }) {
      const space = spaceOf(visibility, caller.member, await tx.projectId(projectKey));
      const twin = connection.get<{ id: number }>(SAME_WORDS, entity.id, text.contentHash, space, layer);
      return twin && reads.byId(twin.id);
    },

    async named(name, { visibility, projectKey }) {
      const space = spaceOf(visibility, caller.member, await tx.projectId(projectKey));
      const row = connection.get<{ id: number }>(NAMED, space, name);
      return row && reads.byId(row.id);
    },

    async addFiles({ id }, paths) {
      for (const path of paths) connection.run(ADD_FILE, id, path);
    },

    async takeFiles({ id }, from) {
      connection.run(
        `INSERT OR IGNORE INTO memory_files (memory_id, path, role)
         SELECT ?, path, role FROM memory_files WHERE memory_id IN (SELECT value FROM json_each(?))`,
        id,
        JSON.stringify(from.map((each) => each.id)),
      );
    },

    async flag(memory, flags, reason) {
      keepVersion(tx, memory, flags.length === 0 ? "unflag" : "flag", reason);
      putFlags(tx, { id: memory.id, flags });
      return reread(memory.id);
    },

    async add({ entity, layer, text, tags, importance, visibility, projectKey, expiresAt, hasOwnExpiry, ...more }) {
      const metadata: Metadata = { ...DEFAULT_METADATA, ...more.metadata };
      const { beside } = more;
      const uid = randomUUIDv7();
      const projectId = beside ? beside.projectId : await tx.projectId(projectKey);
      const space = beside?.space ?? spaceOf(visibility, caller.member, projectId);
      const expiry = expiresAt ? toSeconds(expiresAt) : null;
      const row = connection.get<{ id: number }>(
        INSERT,
        uid,
        entity.id,
        projectId ?? null,
        caller.member.id,
        caller.token?.id ?? null,
        visibility,
        more.requestedVisibility ?? null,
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
        expiry,
        Number(hasOwnExpiry),
        ...Object.values(metadataCells(metadata)),
      );
      if (!row) throw new Error("an insert returned no id");
      for (const path of more.files ?? []) connection.run(ADD_FILE, row.id, path);
      for (const tag of tags) connection.run("INSERT INTO memory_tags (memory_id, tag) VALUES (?, ?)", row.id, tag);
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
        requestedVisibility: more.requestedVisibility,
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
        flags: flagsOf({ ...metadata, content: text.content }),
        ...metadata,
      };
      if (memory.flags.length > 0) putFlags(tx, memory);
      writeText(tx, memory, text);
      return memory;
    },

    async revise(memory, { text, layer, importance, tags, expiresAt, metadata }, reason) {
      keepVersion(tx, memory, "revise", reason);
      if (text) putWords(tx, memory.id, text);
      if (layer) connection.run("UPDATE memories SET layer = ? WHERE id = ?", layer, memory.id);
      if (importance !== undefined)
        connection.run("UPDATE memories SET importance = ? WHERE id = ?", importance, memory.id);
      if (expiresAt !== undefined) {
        const expiry = expiresAt === null ? null : toSeconds(expiresAt);
        connection.run(
          "UPDATE memories SET expires_at = ?, expires_explicit = expires_explicit AND ? IS NOT NULL WHERE id = ?",
          expiry,
          expiry,
          memory.id,
        );
      }
      if (tags) {
        connection.run("DELETE FROM memory_tags WHERE memory_id = ?", memory.id);
        for (const tag of tags)
          connection.run("INSERT INTO memory_tags (memory_id, tag) VALUES (?, ?)", memory.id, tag);
      }
      if (metadata) putMetadata(tx, { ...memory, ...metadata });
      const said = { ...memory, ...metadata, content: text?.content ?? memory.content };
      if (text || said.title !== memory.title) reflag(tx, said);
      const revised = await reread(memory.id);
      if (text || tags || revised.title !== memory.title) writeText(tx, revised, text, revised.title !== memory.title);
      return revised;
    },

    async reword(memory, text, model) {
      keepVersion(tx, memory, REWORD, model);
      putWords(tx, memory.id, text);
      reflag(tx, { ...memory, content: text.content });
      const reworded = await reread(memory.id);
      writeText(tx, reworded, text);
      return reworded;
    },

    async archive(memory, why, reason) {
      keepVersion(tx, memory, "archive", reason ?? why);
      connection.run("UPDATE memories SET archived_at = ?, archived_reason = ? WHERE id = ?", tx.nowS, why, memory.id);
      writeText(tx, await reread(memory.id));
    },

    async move(memory, visibility, reason) {
      const space = movedTo(tx, memory, visibility);
      tx.spaces.add(space);
      keepVersion(tx, memory, "move", reason);
      const own = { ...memory.entity, canonicalKey: keyOf(tx, memory.entity.id) };
      const { canonicalKey: key, ...subject } =
        visibility === "team" ? subjectForTeam(own, projectOf(tx, memory)) : own;
      const { entity } = findOrAddIn(tx, space, { ...subject, key });
      connection.run(
        "UPDATE memories SET visibility = ?, requested_visibility = NULL, space = ?, entity_id = ? WHERE id = ?",
        visibility,
        space,
        entity.id,
        memory.id,
      );
      const { id, name, kind, momentum } = entity;
      const lies = { visibility, space, requestedVisibility: undefined, entity: { id, name, kind, momentum } };
      // Not read again: an admin who lowers it to private may no longer open it.
      const moved: Memory = { ...memory, ...lies, version: memory.version + 1, updatedAt: now };
      writeText(tx, moved);
      return moved;
    },

    async restore(memory, reason) {
      keepVersion(tx, memory, "restore", reason);
      const isOver = memory.expiresAt !== undefined && isExpired(memory, now);
      const expiresAt = isOver ? expiryOf(memory.layer, now) : memory.expiresAt;
      connection.run(
        `UPDATE memories SET archived_at = NULL, archived_reason = NULL, superseded_by_id = NULL, supersession_confidence = NULL,
           last_accessed_at = ?, expires_at = ?, expires_explicit = ?, name = ? WHERE id = ?`,
        tx.nowS,
        expiresAt ? toSeconds(expiresAt) : null,
        Number(memory.hasOwnExpiry && !isOver),
        // Its name went on to another one meanwhile.
        memory.name === undefined || connection.get(NAMED, memory.space, memory.name) ? null : memory.name,
        memory.id,
      );
      if (memory.supersededById !== undefined) {
        const [from, to] = [memory.supersededById, memory.id];
        connection.run("DELETE FROM memory_links WHERE from_id = ? AND to_id = ? AND type = 'supersedes'", from, to);
        // A caller wants both: no pass lets one replace the other again.
        connection.run(
          "INSERT OR REPLACE INTO memory_links (from_id, to_id, type, origin, author_id, created_at) VALUES (?, ?, 'related_to', 'manual', ?, ?)",
          from,
          to,
          caller.member.id,
          tx.nowS,
        );
      }
      const restored = await reread(memory.id);
      writeText(tx, restored);
      return restored;
    },

    async isOpenToReadersOf(read, other) {
      return isOpenToReadersOf(read.space, other.space, (space) => tx.projects.isOpen(space));
    },

    async supersede(old, successorId) {
      keepVersion(tx, old, "supersede");
      connection.run(
        "UPDATE memories SET archived_at = ?, archived_reason = 'superseded', superseded_by_id = ? WHERE id = ?",
        tx.nowS,
        successorId,
        old.id,
      );
      connection.run(
        "INSERT OR IGNORE INTO memory_links (from_id, to_id, type, origin, author_id, created_at) VALUES (?, ?, 'supersedes', 'manual', ?, ?)",
        successorId,
        old.id,
        caller.member.id,
        tx.nowS,
      );
      tx.event(old.entity.id, "memory_superseded", { memory_id: old.id, by: successorId });
      writeText(tx, await reread(old.id));
    },
  };
}

function putWords({ sync: connection }: Transaction, id: number, text: CanonicalText): void {
  connection.run(
    `UPDATE memories SET content = ?, content_hash = ?, content_sha1 = ?, segmenter_version = ?, embedding_status = 'pending' WHERE id = ?`,
    text.content,
    text.contentHash,
    text.contentSha1,
    SEGMENTER_VERSION,
    id,
  );
  connection.run("DELETE FROM vectors WHERE memory_id = ?", id);
}

/** The space that a memory comes to lie in. Throws for one of no project, a closed one, and a name that is taken there. */
function movedTo(tx: Transaction, memory: Memory, visibility: Visibility): Space {
  const { sync: connection, caller } = tx;
  const { projectId, authorId, name } = memory;
  const project = projectOf(tx, memory);
  if (visibility === "project" && !project) throw noProjectToMoveTo(memory.id);
  if (project && !mayWriteTo(project, caller)) throw closedProject(project.key);
  const space = spaceOf(visibility, { id: authorId, name: "" }, projectId);
  if (name !== undefined && space !== memory.space && connection.get(NAMED, space, name)) throw nameIsTaken(memory.id);
  return space;
}

const projectOf = ({ projects: places }: Transaction, { projectId }: Memory) =>
  projectId === undefined ? undefined : places.byId(projectId);

const keyOf = ({ sync: connection }: Transaction, entityId: number): string | undefined =>
  connection.get<{ canonical_key: string | null }>("SELECT canonical_key FROM entities WHERE id = ?", entityId)
    ?.canonical_key ?? undefined;

function putMetadata({ sync: connection }: Transaction, memory: Memory): void {
  connection.run(PUT_METADATA, ...Object.values(metadataCells(memory)), memory.id);
}

const PUT_METADATA = `UPDATE memories SET (${METADATA_COLUMNS}) = (${METADATA_VALUES}) WHERE id = ?`;

/**
 * New words for a memory without changes by a member: questions that found it find it by these now. No version is kept.
 */
export function changeWords(tx: Transaction, memory: Memory, text: CanonicalText): void {
  putWords(tx, memory.id, text);
  reflag(tx, { ...memory, content: text.content });
  writeText(tx, memory, text);
}

/** Marks a memory by what it says now. */
function reflag(tx: Transaction, memory: Memory): void {
  const flags = flagsOf(memory);
  const isSame = flags.length === memory.flags.length && flags.every((flag) => memory.flags.includes(flag));
  if (!isSame) putFlags(tx, { ...memory, flags });
}

export function putFlags({ sync: connection }: Transaction, { id, flags }: Pick<Memory, "id" | "flags">): void {
  const reasons = flags.length === 0 ? null : JSON.stringify(flags);
  const trust = flags.length === 0 ? "normal" : "flagged";
  connection.run("UPDATE memories SET trust = ?, trust_reasons = ? WHERE id = ?", trust, reasons, id);
}

/** Keeps the state before a change of meaning, so that it can be read and brought back. */
export function keepVersion(
  { sync: connection, caller, nowS, touch }: Transaction,
  memory: Memory,
  op: string,
  reason?: string,
): void {
  const { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById } = memory;
  const { title, name, category, confidence, certainty, sourceType, evidence, gitCommit, gitBranch } = memory;
  const trigger = connection.get<{ condition: string | null }>(
    'SELECT "trigger" AS condition FROM memories WHERE id = ?',
    memory.id,
  )?.condition;
  const snapshot = JSON.stringify({
    ...(trigger && { trigger }),
    content,
    layer,
    importance,
    tags,
    visibility,
    expiresAt,
    archivedAt,
    supersededById,
    metadata: { title, name, category, confidence, certainty, sourceType, evidence, gitCommit, gitBranch },
  });
  connection.run(
    "INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    memory.id,
    memory.version,
    snapshot,
    op,
    reason ?? null,
    caller.member.id,
    nowS,
  );
  connection.run(
    "UPDATE memories SET version = version + 1, updated_at = ?, edited_at = ? WHERE id = ?",
    nowS,
    nowS,
    memory.id,
  );
  touch(memory.id);
}

/** The text row of a memory, made anew. */
export function writeText(
  { sync: connection, index }: Transaction,
  memory: Memory,
  text?: Pick<CanonicalText, "words" | "grams">,
  isRetitled = false,
): void {
  const old = readTextRow(connection, memory.id);
  const { words, grams } = text ?? old ?? segment(memory.content);
  putTextRow(connection, index, memory.id, old, {
    scope: scopeOf(memory),
    title: (isRetitled ? undefined : old?.title) ?? headingTokens(memory.entity.name, memory.title),
    tags: tokensOf(memory.tags.join(" ")),
    words,
    grams,
  });
}
