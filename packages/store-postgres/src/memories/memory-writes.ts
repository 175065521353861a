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
  spaceOf,
  subjectForTeam,
  type Visibility,
} from "@chest/core";
import { metadataCells, scopeOf, toSeconds } from "@chest/store/database/rows";
import { headingTokens, tokensOf } from "@chest/store/memories/text-tokens";
import type { Value } from "../database/connection.ts";
import { lockOf } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";
import { PUT_TEXT, textValues, writeText } from "../search/text-rows.ts";
import { findOrAddIn } from "./entity-writes.ts";

const SAME_WORDS = `SELECT id FROM memories
  WHERE space = ? AND content_hash = ? AND archived_at IS NULL AND entity_id = ? AND layer = ? ORDER BY id LIMIT 1`;

const METADATA_COLUMNS = Object.keys(metadataCells(DEFAULT_METADATA)).join(", ");
const METADATA_VALUES = METADATA_COLUMNS.split(", ")
  .map(() => "?")
  .join(", ");

// With its text row in one journey.
const ADD = `WITH m AS (
  INSERT INTO memories (uid, entity_id, project_id, author_id, token_id, visibility, requested_visibility, space, client, session_id, content,
    content_hash, content_sha1, segmenter_version, layer, importance, created_at, updated_at, expires_at, expires_explicit,
    ${METADATA_COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${METADATA_VALUES}) RETURNING id),
  ${PUT_TEXT}
  SELECT id FROM m`;

const NAMED = "SELECT id FROM memories WHERE space = ? AND name = ? AND archived_at IS NULL";
const ADD_FILES = `INSERT INTO memory_files (memory_id, path, role) SELECT ?::bigint, unnest(?::text[]), 'about'
  ON CONFLICT DO NOTHING`;

const TAKE_FILES = `INSERT INTO memory_files (memory_id, path, role)
  SELECT ?::bigint, path, role FROM memory_files WHERE memory_id = ANY (?) ON CONFLICT DO NOTHING`;

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
      // When two callers save the same words at once, the second waits here and finds the first's row.
      connection.later("SELECT pg_advisory_xact_lock(1, ?)", lockOf(`${space}\n${text.contentHash}`));
      const twin = await connection.get<{ id: number }>(SAME_WORDS, space, text.contentHash, entity.id, layer);
      return twin && reads.byId(twin.id);
    },

    async named(name, { visibility, projectKey }) {
      const space = spaceOf(visibility, caller.member, await tx.projectId(projectKey));
      await lockName(tx, space, name);
      const row = await connection.get<{ id: number }>(NAMED, space, name);
      return row && reads.byId(row.id);
    },

    async addFiles({ id }, paths) {
      connection.later(ADD_FILES, id, paths);
    },

    async takeFiles({ id }, from) {
      const ids = from.map((each) => each.id);
      connection.later(TAKE_FILES, id, ids);
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
      const scope = scopeOf({ space, archivedAt: undefined, supersededById: undefined });
      const title = headingTokens(entity.name, metadata.title);
      const { words, grams } = text;
      const row = await connection.get<{ id: number }>(
        ADD,
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
        expiresAt ? toSeconds(expiresAt) : null,
        hasOwnExpiry,
        ...valuesOf(metadata),
        ...textValues(scope, { title, tags: tokensOf([...tags].sort().join(" ")), words, grams }),
      );
      if (!row) throw new Error("an insert returned no id");
      if (more.files !== undefined && more.files.length > 0) connection.later(ADD_FILES, row.id, more.files);
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
      return memory;
    },

    async revise(memory, { text, layer, importance, tags, expiresAt, metadata }, reason) {
      keepVersion(tx, memory, "revise", reason);
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
      if (metadata)
        connection.later(
          `UPDATE memories SET (${METADATA_COLUMNS}) = (${METADATA_VALUES}) WHERE id = ?`,
          ...valuesOf({ ...memory, ...metadata }),
          memory.id,
        );
      const said = { ...memory, ...metadata, content: text?.content ?? memory.content };
      if (text || said.title !== memory.title) reflag(tx, said);
      const revised = await reread(memory.id);
      const isRetitled = revised.title !== memory.title;
      if (text || tags || isRetitled) await writeText(tx, revised, text, { isRetitled });
      return revised;
    },

    async reword(memory, text, model) {
      keepVersion(tx, memory, REWORD, model);
      await changeWords(tx, memory, text);
      return reread(memory.id);
    },

    async archive(memory, why, reason) {
      keepVersion(tx, memory, "archive", reason ?? why);
      connection.later(
        "UPDATE memories SET archived_at = ?, archived_reason = ? WHERE id = ?",
        tx.nowS,
        why,
        memory.id,
      );
      await writeText(tx, await reread(memory.id));
    },

    async move(memory, visibility, reason) {
      const space = await movedTo(tx, memory, visibility);
      tx.spaces.add(space);
      keepVersion(tx, memory, "move", reason);
      const own = { ...memory.entity, canonicalKey: await keyOf(tx, memory.entity.id) };
      const { canonicalKey: key, ...subject } =
        visibility === "team" ? subjectForTeam(own, await projectOf(tx, memory)) : own;
      const { entity } = await findOrAddIn(tx, space, { ...subject, key });
      connection.later(
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
      await writeText(tx, moved);
      return moved;
    },

    async restore(memory, reason) {
      keepVersion(tx, memory, "restore", reason);
      const isOver = memory.expiresAt !== undefined && isExpired(memory, now);
      const expiresAt = isOver ? expiryOf(memory.layer, now) : memory.expiresAt;
      connection.later(
        `UPDATE memories SET archived_at = NULL, archived_reason = NULL, superseded_by_id = NULL, supersession_confidence = NULL,
           last_accessed_at = ?, expires_at = ?, expires_explicit = ?, name = ? WHERE id = ?`,
        tx.nowS,
        expiresAt ? toSeconds(expiresAt) : null,
        memory.hasOwnExpiry && !isOver,
        // Its name went on to another one meanwhile.
        memory.name === undefined || (await isNamed(tx, memory.space, memory.name)) ? null : memory.name,
        memory.id,
      );
      if (memory.supersededById !== undefined) {
        const [from, to] = [memory.supersededById, memory.id];
        connection.later("DELETE FROM memory_links WHERE from_id = ? AND to_id = ? AND type = 'supersedes'", from, to);
        // A caller wants both: no pass lets one replace the other again.
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

const valuesOf = (metadata: Metadata): Value[] => Object.values(metadataCells(metadata));

/** When two callers give one name at once, the second waits here and finds the first's row. */
const lockName = ({ connection }: Transaction, space: Space, name: string) =>
  connection.get("SELECT pg_advisory_xact_lock(7, ?)", lockOf(`${space}\n${name}`));

async function isNamed(tx: Transaction, space: Space, name: string): Promise<boolean> {
  await lockName(tx, space, name);
  return (await tx.connection.get(NAMED, space, name)) !== undefined;
}

/** The space that a memory comes to lie in. Throws for one of no project, a closed one, and a name that is taken there. */
async function movedTo(tx: Transaction, memory: Memory, visibility: Visibility): Promise<Space> {
  const { projectId, authorId, name } = memory;
  const project = await projectOf(tx, memory);
  if (visibility === "project" && !project) throw noProjectToMoveTo(memory.id);
  if (project && !mayWriteTo(project, tx.caller)) throw closedProject(project.key);
  const space = spaceOf(visibility, { id: authorId, name: "" }, projectId);
  if (name !== undefined && space !== memory.space && (await isNamed(tx, space, name))) throw nameIsTaken(memory.id);
  return space;
}

const projectOf = async (tx: Transaction, { projectId }: Memory) =>
  projectId === undefined ? undefined : (await tx.places()).byId(projectId);

async function keyOf({ connection }: Transaction, entityId: number): Promise<string | undefined> {
  const sql = "SELECT canonical_key FROM entities WHERE id = ?";
  return (await connection.get<{ canonical_key: string | null }>(sql, entityId))?.canonical_key ?? undefined;
}

/** Marks a memory by what it says now. */
function reflag(tx: Transaction, memory: Memory): void {
  const flags = flagsOf(memory);
  const isSame = flags.length === memory.flags.length && flags.every((flag) => memory.flags.includes(flag));
  if (!isSame) putFlags(tx, { ...memory, flags });
}

export function putFlags({ connection }: Transaction, { id, flags }: Pick<Memory, "id" | "flags">): void {
  const reasons = flags.length === 0 ? null : JSON.stringify(flags);
  const trust = flags.length === 0 ? "normal" : "flagged";
  connection.later("UPDATE memories SET trust = ?, trust_reasons = ? WHERE id = ?", trust, reasons, id);
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

/** Other words for a memory; no version is kept. */
export async function changeWords(tx: Transaction, memory: Memory, text: CanonicalText): Promise<void> {
  putWords(tx, memory.id, text);
  reflag(tx, { ...memory, content: text.content });
  await writeText(tx, memory, text);
}

// A memory is read without its condition, which its row alone knows.
const KEEP_VERSION = `INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at)
  SELECT m.id, g.version, CASE WHEN m."trigger" IS NULL THEN g.snapshot
      ELSE '{"trigger":' || to_json(m."trigger")::text || ',' || substr(g.snapshot, 2) END, g.op, g.reason, g.author_id, g.changed_at
  FROM (SELECT ?::bigint, ?::text, ?::text, ?::text, ?::bigint, ?::bigint) AS g (version, snapshot, op, reason, author_id, changed_at),
    memories m WHERE m.id = ?`;

/** Keeps the state before a change of meaning, so that it can be read and brought back. */
export function keepVersion(
  { connection, caller, nowS, touch }: Transaction,
  memory: Memory,
  op: string,
  reason?: string,
): void {
  const { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById } = memory;
  const { title, name, category, confidence, certainty, sourceType, evidence, gitCommit, gitBranch } = memory;
  const metadata = { title, name, category, confidence, certainty, sourceType, evidence, gitCommit, gitBranch };
  const snapshot = { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById, metadata };
  connection.later(
    KEEP_VERSION,
    memory.version,
    JSON.stringify(snapshot),
    op,
    reason ?? null,
    caller.member.id,
    nowS,
    memory.id,
  );
  connection.later(
    "UPDATE memories SET version = version + 1, updated_at = ?, edited_at = ? WHERE id = ?",
    nowS,
    nowS,
    memory.id,
  );
  touch(memory.id);
}
