import { randomUUIDv7 } from "node:crypto";
import { closedProject, isOpenToReadersOf, mayWriteTo, type Space, spaceOf, type Visibility } from "@chest/core/access";
import {
  DEFAULT_METADATA,
  expiryOf,
  flagsOf,
  isExpired,
  type Memory,
  type Metadata,
  REWORD,
  subjectForTeam,
} from "@chest/core/memory";
import { type MemoryRows, type MemoryWrites, type NewMemory, SOURCE_GONE } from "@chest/core/ports";
import type { TextRow } from "@chest/core/recall";
import { SEGMENTER_VERSION } from "@chest/core/text";
import { nameIsTaken, noProjectToMoveTo } from "@chest/core/tools";
import { isOfJournal, isUnexpired } from "../database/condition.ts";
import type { SqlValue, Statements } from "../database/connection.ts";
import { type Dialect, statements } from "../database/dialect.ts";
import { METADATA_COLUMNS, metadataCells, scopeOf, toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { findOrAddIn } from "./entity-writes.ts";
import { releaseItems } from "./inbox-notes.ts";
import { headingTokens, tokensOf } from "./text-tokens.ts";
import { liftTombstones, liftWhatIsSaid, raiseTombstone } from "./tombstones.ts";
import { keepVersion, link, putFlags } from "./versions.ts";
import { changeWords, putWords, reflag } from "./words.ts";

/** Columns of a new memory, in the order of the cells of `MemoryInserts`. */
export const NEW_MEMORY_COLUMNS: readonly string[] = [
  ...[
    "uid",
    "entity_id",
    "project_id",
    "author_id",
    "token_id",
    "visibility",
    "requested_visibility",
    "space",
    "client",
  ],
  ...[
    "session_id",
    "content",
    "content_hash",
    "content_sha1",
    "segmenter_version",
    "layer",
    "importance",
    "created_at",
  ],
  ...["updated_at", "expires_at", "expires_explicit", ...METADATA_COLUMNS],
];

/** Inserts a memory with its text row and returns its id, in the fewest statements of each engine. */
export type InsertMemory = (cells: readonly SqlValue[], scope: string, text: TextRow) => Promise<number>;

const METADATA_VALUES = METADATA_COLUMNS.map(() => "?").join(", ");
const PUT_METADATA = `UPDATE memories SET (${METADATA_COLUMNS}) = (${METADATA_VALUES}) WHERE id = ?`;
const NAMED = "SELECT id FROM memories WHERE space = ? AND name = ? AND archived_at IS NULL";

/**
 * Turns a session note into a memory; other rows are unchanged. Takes the expiry of its layer, in seconds, and its id.
 */
export const LEAVE_JOURNAL = `UPDATE memories AS m SET source = NULL, embedding_status = 'pending', expires_at = coalesce(expires_at, ?)
  WHERE m.id = ? AND ${isOfJournal("m")}`;

const sqlOf = statements((d) => ({
  sameWords: `SELECT m.id FROM memories m
    WHERE m.entity_id = ? AND m.content_hash = ? AND m.archived_at IS NULL AND m.space = ? AND m.layer = ? AND ${isUnexpired("m")}
      AND (CAST(? AS boolean) OR NOT ${isOfJournal("m")}) ORDER BY m.id LIMIT 1`,
  addFiles: `INSERT INTO memory_files (memory_id, path, role)
    SELECT CAST(? AS bigint), v.value, 'about' FROM ${d.valuesOf("text", "v")} WHERE true ON CONFLICT DO NOTHING`,
  takeFiles: `INSERT INTO memory_files (memory_id, path, role)
    SELECT CAST(? AS bigint), path, role FROM memory_files WHERE ${d.isOneOf("memory_id")} ON CONFLICT DO NOTHING`,
  addTags: `INSERT INTO memory_tags (memory_id, tag) SELECT CAST(? AS bigint), v.value FROM ${d.valuesOf("text", "v")}`,
}));

// The caller wants both memories: no pass may supersede one again.
const RELATE = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
  VALUES (?, ?, 'related_to', NULL, 'manual', ?, ?)
  ON CONFLICT (from_id, to_id, type) DO UPDATE SET (note, origin, author_id, created_at) =
    (NULL, 'manual', excluded.author_id, excluded.created_at)`;

const USEFUL = "UPDATE memories SET useful_count = useful_count + 1, last_verified_at = ? WHERE id = ?";
const WITHDRAWN = "UPDATE memories SET useful_count = useful_count - 1 WHERE id = ? AND useful_count > 0";

export function memoryWrites(tx: Transaction, reads: MemoryRows, insert: InsertMemory): MemoryWrites {
  const { connection, caller, now } = tx;
  const sql = sqlOf(connection.dialect);

  async function reread(id: number): Promise<Memory> {
    const memory = await reads.byId(id);
    if (!memory) throw new Error(`memory ${id} vanished inside its transaction`);
    return memory;
  }

  return {
    ...reads,

    sameWords: (memory) => sameWords(tx, reads, memory, false),
    sayAgain: (memory) => liftWhatIsSaid(tx, memory),

    async byName(name, { visibility, projectKey }) {
      const space = spaceOf(visibility, caller.member, await tx.projectId(projectKey));
      lockName(tx, space, name);
      const row = await connection.get<{ id: number }>(NAMED, space, name);
      return row && reads.byId(row.id);
    },

    async addFiles({ id }, paths) {
      connection.later(sql.addFiles, id, paths);
    },

    async takeFiles({ id }, from) {
      const ids = from.map((each) => each.id);
      connection.later(sql.takeFiles, id, ids);
    },

    async countVerdict({ id }, verdict) {
      if (verdict === "useful") connection.later(USEFUL, tx.nowS, id);
      if (verdict === "withdrawn") connection.later(WITHDRAWN, id);
      tx.touch(id);
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
      const title = headingTokens(entity.name, metadata);
      const { words, grams } = text;
      const id = await insert(
        [
          ...[uid, entity.id, projectId ?? null, caller.member.id, caller.token?.id ?? null, visibility],
          ...[more.requestedVisibility ?? null, space, tx.client, tx.session ?? null],
          ...[text.content, text.contentHash, text.contentSha1, SEGMENTER_VERSION, layer, importance, tx.nowS, tx.nowS],
          ...[expiresAt ? toSeconds(expiresAt) : null, hasOwnExpiry, ...valuesOf(metadata)],
        ],
        scope,
        { title, tags: tokensOf([...tags].sort().join(" ")), words, grams },
      );
      if (more.files !== undefined && more.files.length > 0) connection.later(sql.addFiles, id, more.files);
      putTags(tx, id, tags);
      tx.touch(id, { isNew: true });
      const memory: Memory = {
        id,
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

    async revise(
      memory,
      { text, layer, importance, tags, expiresAt, metadata, hasOwnExpiry = memory.hasOwnExpiry },
      reason,
    ) {
      keepVersion(tx, memory, "revise", reason);
      const lives = expiryOf(layer ?? memory.layer, tx.now);
      connection.later(LEAVE_JOURNAL, lives ? toSeconds(lives) : null, memory.id);
      if (text) putWords(tx, memory.id, text);
      if (layer) connection.later("UPDATE memories SET layer = ? WHERE id = ?", layer, memory.id);
      if (importance !== undefined)
        connection.later("UPDATE memories SET importance = ? WHERE id = ?", importance, memory.id);
      if (expiresAt !== undefined) {
        connection.later(
          "UPDATE memories SET expires_at = ?, expires_explicit = ? WHERE id = ?",
          expiresAt === null ? null : toSeconds(expiresAt),
          expiresAt !== null && hasOwnExpiry,
          memory.id,
        );
      }
      if (tags) {
        connection.later("DELETE FROM memory_tags WHERE memory_id = ?", memory.id);
        putTags(tx, memory.id, tags);
      }
      if (metadata) connection.later(PUT_METADATA, ...valuesOf({ ...memory, ...metadata }), memory.id);
      const said = { ...memory, ...metadata, content: text?.content ?? memory.content };
      if (text || said.title !== memory.title) reflag(tx, said);
      const revised = await reread(memory.id);
      const isRetitled = revised.title !== memory.title || revised.name !== memory.name;
      if (text || tags || isRetitled) await tx.texts.write(revised, text, { isRetitled });
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
      if (why === "forget" && reason !== SOURCE_GONE) await raiseTombstone(tx, memory);
      await tx.texts.write(await reread(memory.id));
    },

    async move(memory, { visibility, projectKey }, reason) {
      const projectId =
        projectKey === undefined ? memory.projectId : ((await tx.projectId(projectKey || undefined)) ?? undefined);
      const space = await movedTo(tx, { ...memory, projectId }, { from: memory.space, visibility });
      const isElsewhere = projectId !== memory.projectId;
      tx.spaces.add(space);
      const between = isElsewhere && {
        from: (await projectOf(tx, memory))?.key,
        to: (await projectOf(tx, { projectId }))?.key,
      };
      keepVersion(tx, memory, "move", reason, between || undefined);
      if (isElsewhere) connection.later(HIDE_VERSIONS_OF_PROJECT, memory.id);
      const own = { ...memory.entity, canonicalKey: await keyOf(tx, memory.entity.id) };
      const { canonicalKey: key, ...subject } =
        visibility === "team" || isElsewhere ? subjectForTeam(own, await projectOf(tx, memory)) : own;
      const { entity } = await findOrAddIn(tx, space, { ...subject, key });
      const requestedVisibility = visibility === memory.visibility ? memory.requestedVisibility : undefined;
      connection.later(
        "UPDATE memories SET visibility = ?, requested_visibility = ?, project_id = ?, space = ?, entity_id = ? WHERE id = ?",
        visibility,
        requestedVisibility ?? null,
        projectId ?? null,
        space,
        entity.id,
        memory.id,
      );
      const { id, name, kind, momentum } = entity;
      const lies = { visibility, projectId, space, requestedVisibility, entity: { id, name, kind, momentum } };
      // Built here and not read again: an admin who makes it private may no longer open it.
      const moved: Memory = { ...memory, ...lies, version: memory.version + 1, updatedAt: now };
      await tx.texts.write(moved);
      await releaseItems(tx);
      return moved;
    },

    async restore(memory, reason) {
      keepVersion(tx, memory, "restore", reason);
      liftTombstones(tx, [memory.id]);
      const isOver = memory.expiresAt !== undefined && isExpired(memory, now);
      const expiresAt = isOver ? expiryOf(memory.layer, now) : memory.expiresAt;
      connection.later(
        `UPDATE memories SET archived_at = NULL, archived_reason = NULL, superseded_by_id = NULL, supersession_confidence = NULL,
           last_accessed_at = ?, expires_at = ?, expires_explicit = ?, name = ? WHERE id = ?`,
        tx.nowS,
        expiresAt ? toSeconds(expiresAt) : null,
        memory.hasOwnExpiry && !isOver,
        // Another memory may have got its name meanwhile.
        memory.name === undefined || (await isNamed(tx, memory.space, memory.name)) ? null : memory.name,
        memory.id,
      );
      if (memory.supersededById !== undefined) {
        const [from, to] = [memory.supersededById, memory.id];
        connection.later("DELETE FROM memory_links WHERE from_id = ? AND to_id = ? AND type = 'supersedes'", from, to);
        connection.later(RELATE, from, to, caller.member.id, tx.nowS);
      }
      const restored = await reread(memory.id);
      await tx.texts.write(restored, undefined, { isRetitled: restored.name !== memory.name });
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
      await tx.texts.write(await reread(old.id));
    },
  };
}

/**
 * The live memory with the same text in the same place, if any.
 * @param withJournal include session notes; an explicit save creates a memory beside such a note
 */
export async function sameWords(
  tx: Transaction,
  reads: MemoryRows,
  { entity, text, layer, visibility, projectKey }: NewMemory,
  withJournal: boolean,
): Promise<Memory | undefined> {
  const { connection, caller } = tx;
  const space = spaceOf(visibility, caller.member, await tx.projectId(projectKey));
  lockWords(connection.dialect, connection, space, text.contentHash);
  const sql = sqlOf(connection.dialect).sameWords;
  const twin = await connection.get<{ id: number }>(
    sql,
    entity.id,
    text.contentHash,
    space,
    layer,
    tx.nowS,
    withJournal,
  );
  return twin && reads.byId(twin.id);
}

/** Serialises saves of the same text, so that the second finds the first's row. */
const lockWords = (dialect: Dialect, connection: Pick<Statements, "later">, space: Space, contentHash: string) =>
  dialect.lock(connection, "sameWords", `${space}\n${contentHash}`);

/** Sends the query of `sameWords` in advance, for an explicit save. */
export function sameWordsAhead(
  { connection: { dialect }, nowS }: Transaction,
  ahead: Statements["later"],
  { entityId, space, layer, contentHash }: SameWordsQuery,
): void {
  lockWords(dialect, { later: ahead }, space, contentHash);
  ahead(sqlOf(dialect).sameWords, entityId, contentHash, space, layer, nowS, false);
}

interface SameWordsQuery extends Pick<NewMemory, "layer"> {
  readonly entityId: number;
  readonly space: Space;
  readonly contentHash: string;
}

const valuesOf = (metadata: Metadata): SqlValue[] => Object.values(metadataCells(metadata));

/** Serialises uses of the same name, so that the second finds the first's row. */
const lockName = ({ connection }: Transaction, space: Space, name: string) =>
  connection.dialect.lock(connection, "name", `${space}\n${name}`);

async function isNamed(tx: Transaction, space: Space, name: string): Promise<boolean> {
  lockName(tx, space, name);
  return (await tx.connection.get(NAMED, space, name)) !== undefined;
}

// Members of the new project could not read the old one, so earlier versions stay visible to their author alone.
const HIDE_VERSIONS_OF_PROJECT = `UPDATE memory_versions
  SET snapshot = replace(snapshot, '"visibility":"project"', '"moved":true,"visibility":"project"')
  WHERE memory_id = ? AND snapshot LIKE '%"visibility":"project"%' AND NOT snapshot LIKE '%"moved":true%'`;

/** Space of a memory after its move. Throws for an unknown or closed project, and for a name that is taken there. */
async function movedTo(
  tx: Transaction,
  memory: Pick<Memory, "id" | "projectId" | "authorId" | "name">,
  { from, visibility }: { readonly from: Space; readonly visibility: Visibility },
): Promise<Space> {
  const { projectId, authorId, name } = memory;
  const project = await projectOf(tx, memory);
  if (visibility === "project" && !project) throw noProjectToMoveTo(memory.id);
  if (project && !mayWriteTo(project, tx.caller)) throw closedProject(project.key);
  const space = spaceOf(visibility, { id: authorId, name: "" }, projectId);
  if (name !== undefined && space !== from && (await isNamed(tx, space, name))) throw nameIsTaken(memory.id);
  return space;
}

const projectOf = async (tx: Transaction, { projectId }: Pick<Memory, "projectId">) =>
  projectId === undefined ? undefined : (await tx.places()).byId(projectId);

async function keyOf({ connection }: Transaction, entityId: number): Promise<string | undefined> {
  const sql = "SELECT canonical_key FROM entities WHERE id = ?";
  return (await connection.get<{ canonical_key: string | null }>(sql, entityId))?.canonical_key ?? undefined;
}

function putTags({ connection }: Transaction, id: number, tags: readonly string[]): void {
  if (tags.length > 0) connection.later(sqlOf(connection.dialect).addTags, id, tags);
}
