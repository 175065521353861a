import { randomUUIDv7 } from "node:crypto";
import { type Caller, mayWriteTo, SESSION_PAUSE_MS, spaceOf } from "@chest/core/access";
import { pathKeyOf } from "@chest/core/files";
import { isOfThePast } from "@chest/core/lifecycle";
import { type Memory, RECAPTURE, REWORD } from "@chest/core/memory";
import {
  type CapturedMemory,
  type CaptureOutcome,
  type MemoryWrites,
  type NewMemory,
  type SessionReads,
  type SessionWrites,
  SOURCE_GONE,
} from "@chest/core/ports";
import { samenessOf } from "@chest/core/statements";
import { JOURNAL_RULES } from "@chest/core/transcript";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { sameWords } from "../memories/memory-writes.ts";
import { confirmMemory } from "../memories/sources.ts";
import { isForgotten } from "../memories/tombstones.ts";
import { keepVersion } from "../memories/versions.ts";
import { changeWords } from "../memories/words.ts";

/**
 * Writes of sessions in a transaction.
 * @param alike live memories with words like those of a draft, in its place
 */
export function sessionWrites(
  tx: Transaction,
  reads: SessionReads,
  memories: MemoryWrites,
  alike: Alike,
): SessionWrites {
  const { connection, caller, nowS } = tx;
  const { member } = caller;

  /** Creates the session's row on first use. */
  async function open(id: string, projectKey: string | undefined): Promise<void> {
    await connection.run(
      `INSERT INTO sessions AS s (id, project_id, member_id, client, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (member_id, id) DO UPDATE SET last_seen_at = excluded.last_seen_at,
         project_id = coalesce(s.project_id, excluded.project_id), status = 'active', ended_at = NULL`,
      id,
      (await tx.projectId(projectKey)) ?? null,
      member.id,
      tx.client,
      nowS,
      nowS,
    );
  }

  return {
    async progress(id) {
      // Serialises callers that send the same transcript, so that the second sees the progress of the first.
      connection.dialect.lock(connection, "transcript", `${member.id}\n${id}`);
      return reads.progress(id);
    },
    capture: (memory) => capture(tx, memories, alike, memory),

    async retire(memory) {
      await memories.archive(memory, "forget", SOURCE_GONE);
    },

    async touch({ session, turn, ordinal, path, operation, intent, at, captureKey, projectKey }) {
      const projectId = await tx.projectId(projectKey);
      const space = spaceOf(projectKey === undefined ? "team" : "project", member, projectId);
      const { changes } = await connection.run(
        `INSERT INTO session_file_edits
           (member_id, session_id, memory_id, file_path, path_key, operation, turn_uuid, ordinal, context_snippet, occurred_at, space)
         VALUES (?, ?, (SELECT id FROM memories WHERE capture_key = ?), ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        member.id,
        session,
        captureKey ?? null,
        path,
        pathKeyOf(path),
        operation,
        turn,
        ordinal,
        intent ?? null,
        toSeconds(at),
        space,
      );
      return changes > 0;
    },

    async workIn(projectKey) {
      const { session } = caller.client;
      if (session === undefined) return;
      connection.later(
        "UPDATE sessions SET project_id = ? WHERE id = ? AND member_id = ? AND imported_lines = 0",
        (await tx.projectId(projectKey)) ?? null,
        session,
        member.id,
      );
    },

    async keepProgress(id, { nextLine, lastLineHash, carry }, projectKey) {
      await open(id, projectKey);
      connection.later(
        "UPDATE sessions SET imported_lines = ?, last_line_hash = ?, carry = ? WHERE member_id = ? AND id = ?",
        nextLine,
        lastLineHash ?? null,
        carry ?? null,
        member.id,
        id,
      );
    },

    async keepWorkSnapshot(id, { text, kind = "compact", keywords = [], git }) {
      await open(id, caller.project);
      connection.later(
        KEEP_SNAPSHOT,
        id,
        kind,
        (await tx.projectId(caller.project)) ?? null,
        id,
        member.id,
        member.id,
        text,
        JSON.stringify(keywords),
        git?.commit ?? null,
        git?.branch ?? null,
        nowS,
      );
      connection.later(
        "DELETE FROM session_snapshots WHERE session_id = ? AND member_id = ? AND kind <> ?",
        id,
        member.id,
        kind,
      );
    },

    async takeWork(id, by) {
      const { changes } = await connection.run(
        `UPDATE session_snapshots SET consumed_at = ?, consumed_by = ?
         WHERE session_id = ? AND member_id = ? AND consumed_at IS NULL`,
        nowS,
        by,
        id,
        member.id,
      );
      return changes > 0;
    },

    async close(id) {
      connection.later(
        "UPDATE sessions SET status = 'closed', ended_at = ? WHERE member_id = ? AND id = ?",
        nowS,
        member.id,
        id,
      );
    },
  };
}

const KEEP_SNAPSHOT = `INSERT INTO session_snapshots
    (session_id, kind, project_id, member_id, body, keywords, git_sha, branch, created_at)
  VALUES (?, ?,
    coalesce(?, (SELECT project_id FROM session_snapshots WHERE session_id = ? AND member_id = ? ORDER BY created_at DESC LIMIT 1)),
    ?, ?, ?, ?, ?, ?)
  ON CONFLICT (member_id, session_id, kind) DO UPDATE SET body = excluded.body, project_id = excluded.project_id,
    keywords = excluded.keywords, git_sha = excluded.git_sha, branch = excluded.branch, created_at = excluded.created_at,
    consumed_at = NULL, consumed_by = NULL`;

interface StoredNoteRow {
  readonly id: number;
  readonly content_hash: string;
  readonly version: number;
  readonly archived_at: number | null;
  /** Whether it was archived because its source was gone. */
  readonly is_retired: boolean | number | null;
  /** Number of such archivings, restores and rewordings. */
  readonly moves: number;
  /** Text from the rule, if a model has reworded it. */
  readonly ruled: string | null;
}

const sqlOf = statements((d) => ({
  known: `SELECT id, content_hash, version, archived_at,
      (SELECT v.reason = '${SOURCE_GONE}' FROM memory_versions v WHERE v.memory_id = m.id ORDER BY v.version DESC LIMIT 1) AS is_retired,
      (SELECT count(*) FROM memory_versions v WHERE v.memory_id = m.id
        AND (v.op IN ('restore', '${REWORD}', '${RECAPTURE}') OR v.reason = '${SOURCE_GONE}')) AS moves,
      (SELECT CASE WHEN v.op = '${REWORD}' THEN ${d.jsonMember("v.snapshot", "content")} END
        FROM memory_versions v WHERE v.memory_id = m.id ORDER BY v.version DESC LIMIT 1) AS ruled
    FROM memories m WHERE capture_key = ?`,
  hold: `SELECT 1 FROM memories WHERE capture_key = ? ${d.forNoKeyUpdate}`,
  noteSeen: `UPDATE sessions SET last_seen_at = ${d.greatest("last_seen_at", "?")} WHERE member_id = ? AND id = ?`,
}));

async function capture(
  tx: Transaction,
  memories: MemoryWrites,
  alike: Alike,
  { captureKey, session, rule, at, ...draft }: CapturedMemory,
): Promise<{ outcome: CaptureOutcome; id: number | undefined }> {
  const { connection } = tx;
  const sql = sqlOf(connection.dialect);
  const isJournal = JOURNAL_RULES.includes(rule);
  const [purged, , known] = await Promise.all([
    connection.get("SELECT 1 FROM purged WHERE capture_key = ?", captureKey),
    connection.get(sql.hold, captureKey),
    connection.get<StoredNoteRow>(sql.known, captureKey),
  ]);
  if (purged !== undefined) return { outcome: "purged", id: undefined };
  if (known) return { outcome: await refresh(tx, memories, known, draft, isJournal), id: known.id };
  const exact = await sameWords(tx, memories, draft, isJournal);
  const twin = exact || isJournal ? exact : await twinOf(draft, alike);
  if (twin) {
    if (!isJournal && isSaidAgain(twin, { session, at, memberId: tx.caller.member.id })) {
      await confirmMemory(connection, twin.id, at);
      tx.touch(twin.id);
    }
    return { outcome: "same_words", id: twin.id };
  }
  // Notes of a session are stored even if they repeat a forgotten statement; it is masked when they are shown.
  if (!isJournal && (await isForgotten(tx, draft))) return { outcome: "forgotten", id: undefined };
  const { id } = await memories.add(draft);
  await connection.run(
    `UPDATE memories SET embedding_status = ?, capture_key = ?, session_id = ?, source_type = ?, source = ?, created_at = ?, known_at = ? WHERE id = ?`,
    isJournal ? "none" : "pending",
    captureKey,
    session,
    draft.metadata?.sourceType ?? "conversation",
    rule,
    toSeconds(at),
    isOfThePast(at, tx.now) ? tx.nowS : null,
    id,
  );
  return { outcome: "inserted", id };
}

type Alike = (draft: NewMemory) => Promise<readonly Memory[]>;

/** The stored memory that makes the same statement in other words or in another spelling. */
async function twinOf(draft: NewMemory, alike: Alike): Promise<Memory | undefined> {
  const { content, contentHash } = draft.text;
  const stored = (await alike(draft)).filter(({ layer }) => layer === draft.layer);
  return stored.find((other) => samenessOf({ ...other, content, contentHash }, other) !== undefined);
}

/**
 * Whether another session of the author says it later. A session that was forked or continued elsewhere repeats the time of
 * what it copies.
 */
const isSaidAgain = (
  twin: Memory,
  { session, at, memberId }: { readonly session: string; readonly at: Date; readonly memberId: number },
): boolean =>
  twin.authorId === memberId &&
  twin.session !== undefined &&
  twin.session !== session &&
  toSeconds(at) > toSeconds(twin.createdAt);

/** Updates a captured row. Every change by a member makes a version; rows with a version are unchanged. */
async function refresh(
  tx: Transaction,
  memories: MemoryWrites,
  { id, content_hash, version, archived_at, is_retired, moves, ruled }: StoredNoteRow,
  draft: NewMemory,
  isJournal: boolean,
): Promise<CaptureOutcome> {
  const { text } = draft;
  const isBack = archived_at !== null && Boolean(is_retired);
  const isSame = content_hash === text.contentHash || ruled === text.content;
  if (isSame && !isBack) return "unchanged";
  const found = archived_at === null || isBack ? await memories.byId(id) : undefined;
  if (!found) return "kept";
  if (isBack && (await sameWords(tx, memories, draft, isJournal))) return "same_words";
  const memory = isBack ? await memories.restore(found) : found;
  const isChanged = version - 1 > moves;
  if (isSame || isChanged) return isBack ? "updated" : "kept";
  if (!isJournal && (await isForgotten(tx, draft))) return "forgotten";
  if (ruled !== null) keepVersion(tx, memory, RECAPTURE);
  await changeWords(tx, memory, text);
  tx.connection.later("UPDATE memories SET updated_at = ? WHERE id = ?", tx.nowS, id);
  tx.touch(id);
  return "updated";
}

/** Records the session of a write and its activity. */
export async function noteSession(tx: Transaction): Promise<void> {
  const { caller, connection, nowS, client } = tx;
  const { project, member } = caller;
  const seen = sqlOf(connection.dialect).noteSeen;
  if (tx.session === undefined) {
    const inferred = await inferredSession(tx);
    if (inferred === undefined) return;
    tx.session = inferred.id;
    if (inferred.isKnown) {
      connection.later(seen, nowS, member.id, tx.session);
      return;
    }
  } else if ((await connection.run(seen, nowS, member.id, tx.session)).changes > 0) return;
  const isOpen = project !== undefined && mayWriteTo((await tx.places()).find(project), caller);
  await connection.run(
    `INSERT INTO sessions (id, project_id, member_id, client, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    tx.session,
    isOpen ? ((await tx.projectId(project)) ?? null) : null,
    member.id,
    client,
    nowS,
    nowS,
  );
}

/** Sends the first queries of `noteSession` in advance. */
export function noteSessionAhead({ caller, connection, nowS, session }: Transaction): void {
  const { ahead, dialect } = connection;
  if (ahead === undefined) return;
  if (session !== undefined) {
    ahead(sqlOf(dialect).noteSeen, nowS, caller.member.id, session);
    return;
  }
  const name = namePrefix(caller);
  if (name === undefined) return;
  dialect.lock({ later: ahead }, "session", name);
  ahead(LAST_INFERRED, caller.member.id, name, `${name}~`);
}

// `IN` with one member: with an equality beside a range, SQLite plans the statement again at each call.
const LAST_INFERRED = `SELECT id, last_seen_at FROM sessions WHERE member_id IN (?) AND id > ? AND id < ?
  ORDER BY id DESC LIMIT 1`;

/**
 * Session of a client that sends no id: its last one, unless that had ended before this call. Such ids sort by client
 * and start, so that finding it reads one row.
 */
async function inferredSession({ caller, connection }: Transaction) {
  const name = namePrefix(caller);
  if (name === undefined) return undefined;
  // Two concurrent writes that start a session share it.
  connection.dialect.lock(connection, "session", name);
  const last = await lastInferred(caller, connection);
  return { id: last ?? `${name}${randomUUIDv7()}`, isKnown: last !== undefined };
}

/** Prefix of the session ids of a client that sends none; undefined if none is inferred. */
function namePrefix({ client, member }: Pick<Caller, "client" | "member">): string | undefined {
  const { origin, activeSince } = client.inferred ?? {};
  return origin === undefined || activeSince === undefined ? undefined : `auto-${member.id}-${origin}-`;
}

/** The current session of a client without an id. */
export async function lastInferred({ client, member }: Caller, connection: Reading): Promise<string | undefined> {
  const { activeSince } = client.inferred ?? {};
  const name = namePrefix({ client, member });
  if (name === undefined || activeSince === undefined) return undefined;
  const last = await connection.get<{ id: string; last_seen_at: number }>(LAST_INFERRED, member.id, name, `${name}~`);
  const isOver = !last || toSeconds(activeSince) - last.last_seen_at >= SESSION_PAUSE_MS / 1000;
  return isOver ? undefined : last.id;
}
