import {
  type CapturedMemory,
  type CaptureOutcome,
  HANDOFF_KINDS,
  isOfThePast,
  type LastWork,
  type Member,
  type MemoryWrites,
  type NewMemory,
  pathKeyOf,
  RECAPTURE,
  REWORD,
  type SessionReads,
  type SessionWrites,
  SOURCE_GONE,
  type Space,
  spaceOf,
  type TranscriptProgress,
  type WorkSnapshot,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toDate, toMemory, toSeconds } from "../database/row-mapping.ts";
import { changeWords, keepVersion } from "../memories/memory-writes.ts";
import type { Transaction } from "../writing/transaction.ts";

const SNAPSHOT_S = 14 * 86_400;
const MOST_FILES = 50;
const MOST_MEMORIES = 200;

interface SessionRow {
  readonly project_id: number | null;
  readonly imported_lines: number;
  readonly last_line_hash: string | null;
  readonly carry: string | null;
}

const FILES = `SELECT file_path AS path, count(*) AS edits FROM session_file_edits
  WHERE session_id = ? AND member_id = ? AND operation IN ('edit', 'write') AND space IN (SELECT value FROM json_each(?))
  GROUP BY file_path ORDER BY edits DESC, max(id) DESC LIMIT ${MOST_FILES}`;
/** A member's own work lies open to that member wherever the project it was done in does. */
const IS_OPEN = "(project_id IS NULL OR 'p' || project_id IN (SELECT value FROM json_each(?)))";
const MEMORIES = `SELECT ${MEMORY_COLUMNS}, m.source AS rule, m.capture_key ${MEMORY_FROM}
  WHERE m.session_id = ? AND m.author_id = ? AND m.archived_at IS NULL AND m.space IN (SELECT value FROM json_each(?))
  ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_MEMORIES}`;
const OWN_IDS = "SELECT id FROM memories WHERE session_id = ? AND author_id = ?";

interface SnapshotRow {
  readonly session_id: string;
  readonly kind: string;
  readonly body: string;
  readonly keywords: string | null;
  readonly git_sha: string | null;
  readonly branch: string | null;
  readonly created_at: number;
  readonly consumed_by: string | null;
}

const SNAPSHOTS = `SELECT session_id, kind, body, keywords, git_sha, branch, created_at, consumed_by
  FROM session_snapshots WHERE member_id = ? AND created_at > ? AND ${IS_OPEN}`;

interface CallerContext {
  readonly spaces: () => readonly Space[];
  /** Project the caller works in; undefined for none, or one that holds nothing yet. */
  readonly projectId: () => number | undefined;
  /** Session that the caller is in. */
  readonly session: () => string | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A member's own sessions: what was taken of them, and what they left behind. */
export function sessionReads(
  connection: Reading,
  member: Member,
  { spaces, projectId, session: current, now }: CallerContext,
): SessionReads {
  const own = (id: string): SessionRow | undefined =>
    connection.get<SessionRow>(
      "SELECT project_id, imported_lines, last_line_hash, carry FROM sessions WHERE member_id = ? AND id = ?",
      member.id,
      id,
    );
  const opened = () => JSON.stringify(spaces());
  const isOpen = (project: number | null | undefined) => project == null || spaces().includes(`p${project}`);
  return {
    async progress(id) {
      const row = own(id);
      if (!row || row.imported_lines === 0) return undefined;
      const progress = toProgress(row);
      return isOpen(row.project_id) ? progress : { ...progress, carry: undefined };
    },
    async trace(id) {
      const session = own(id);
      const open = opened();
      const rows = connection.all<MemoryRow & { readonly rule: string | null; readonly capture_key: string | null }>(
        MEMORIES,
        id,
        member.id,
        open,
      );
      return {
        files: connection.all<{ path: string; edits: number }>(FILES, id, member.id, open),
        memories: rows.map((row) => ({
          memory: toMemory(row),
          rule: row.rule ?? undefined,
          captureKey: row.capture_key ?? undefined,
        })),
        carry: (isOpen(session?.project_id) && session?.carry) || undefined,
      };
    },
    async ownIds(id) {
      return new Set(connection.all<{ id: number }>(OWN_IDS, id, member.id).map((row) => row.id));
    },
    current: async () => current(),
    async project(id) {
      const row = connection.get<{ key: string }>(
        "SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project_id WHERE s.id = ? AND s.member_id = ?",
        id,
        member.id,
      );
      return row?.key;
    },
    async workSnapshot(id) {
      const row = connection.get<SnapshotRow>(
        `${SNAPSHOTS} AND session_id = ? ORDER BY created_at DESC LIMIT 1`,
        member.id,
        now() - SNAPSHOT_S,
        opened(),
        id,
      );
      return row && toSnapshot(row);
    },
    async lastWork() {
      const row = connection.get<SnapshotRow>(
        `${SNAPSHOTS} AND project_id IS ? ORDER BY created_at DESC, session_id DESC LIMIT 1`,
        member.id,
        now() - SNAPSHOT_S,
        opened(),
        projectId() ?? null,
      );
      return row && toLastWork(row);
    },
    async handoffs(limit) {
      const rows = connection.all<SnapshotRow>(
        `${SNAPSHOTS} ORDER BY created_at DESC, session_id DESC LIMIT ?`,
        member.id,
        now() - SNAPSHOT_S,
        opened(),
        limit,
      );
      return rows.map(toLastWork);
    },
    async lastSeenAt(besides) {
      const row = connection.get<{ at: number | null }>(
        "SELECT max(last_seen_at) AS at FROM sessions WHERE member_id = ? AND project_id IS ? AND id <> ?",
        member.id,
        projectId() ?? null,
        besides,
      );
      return row?.at == null ? undefined : toDate(row.at);
    },
  };
}

const toSnapshot = ({ body, created_at, kind, keywords, git_sha, branch }: SnapshotRow): WorkSnapshot => ({
  text: body,
  createdAt: toDate(created_at),
  kind: HANDOFF_KINDS.find((known) => known === kind) ?? "exit",
  keywords: keywords === null ? [] : JSON.parse(keywords),
  git: { commit: git_sha ?? undefined, branch: branch ?? undefined },
});

const toLastWork = (row: SnapshotRow): LastWork => ({
  ...toSnapshot(row),
  session: row.session_id,
  takenBy: row.consumed_by ?? undefined,
});

const toProgress = ({ imported_lines, last_line_hash, carry }: SessionRow): TranscriptProgress => ({
  nextLine: imported_lines,
  lastLineHash: last_line_hash ?? undefined,
  carry: carry ?? undefined,
});

export function sessionWrites(tx: Transaction, reads: SessionReads, memories: MemoryWrites): SessionWrites {
  const { sync: connection, caller, nowS } = tx;

  /** The session's row, made on first use. */
  async function open(id: string, projectKey: string | undefined): Promise<void> {
    connection.run(
      `INSERT INTO sessions (id, project_id, member_id, client, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (member_id, id) DO UPDATE SET last_seen_at = excluded.last_seen_at, project_id = coalesce(project_id, excluded.project_id),
         status = 'active', ended_at = NULL`,
      id,
      (await tx.projectId(projectKey)) ?? null,
      caller.member.id,
      tx.client,
      nowS,
      nowS,
    );
  }

  return {
    progress: reads.progress,
    capture: (memory) => capture(tx, memories, memory),

    async retire(memory) {
      await memories.archive(memory, "forget");
      connection.run(
        "UPDATE memory_versions SET reason = ? WHERE memory_id = ? AND version = ?",
        SOURCE_GONE,
        memory.id,
        memory.version,
      );
    },

    async touch({ session, turn, ordinal, path, operation, intent, at, captureKey, projectKey }) {
      const projectId = await tx.projectId(projectKey);
      const space = spaceOf(projectKey === undefined ? "team" : "project", caller.member, projectId);
      const { changes } = connection.run(
        `INSERT OR IGNORE INTO session_file_edits
           (member_id, session_id, memory_id, file_path, path_key, operation, turn_uuid, ordinal, context_snippet, occurred_at, space)
         VALUES (?, ?, (SELECT id FROM memories WHERE capture_key = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
        caller.member.id,
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
      connection.run(
        "UPDATE sessions SET project_id = ? WHERE id = ? AND member_id = ? AND imported_lines = 0",
        (await tx.projectId(projectKey)) ?? null,
        session,
        caller.member.id,
      );
    },

    async keepProgress(id, { nextLine, lastLineHash, carry }, projectKey) {
      await open(id, projectKey);
      connection.run(
        "UPDATE sessions SET imported_lines = ?, last_line_hash = ?, carry = ? WHERE member_id = ? AND id = ?",
        nextLine,
        lastLineHash ?? null,
        carry ?? null,
        caller.member.id,
        id,
      );
    },

    async keepWorkSnapshot(id, { text, kind = "compact", keywords = [], git }) {
      await open(id, caller.project);
      connection.run(
        `INSERT INTO session_snapshots
           (session_id, kind, project_id, member_id, body, keywords, git_sha, branch, created_at)
         VALUES (?, ?, coalesce(?, (SELECT project_id FROM session_snapshots WHERE session_id = ? AND member_id = ?)),
           ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET body = excluded.body, project_id = excluded.project_id, keywords = excluded.keywords,
           git_sha = excluded.git_sha, branch = excluded.branch,
           created_at = excluded.created_at, consumed_at = NULL, consumed_by = NULL`,
        id,
        kind,
        (await tx.projectId(caller.project)) ?? null,
        id,
        caller.member.id,
        caller.member.id,
        text,
        JSON.stringify(keywords),
        git?.commit ?? null,
        git?.branch ?? null,
        nowS,
      );
      connection.run(
        "DELETE FROM session_snapshots WHERE session_id = ? AND member_id = ? AND kind <> ?",
        id,
        caller.member.id,
        kind,
      );
    },

    async takeWork(id, by) {
      const { changes } = connection.run(
        `UPDATE session_snapshots SET consumed_at = ?, consumed_by = ?
         WHERE session_id = ? AND member_id = ? AND consumed_at IS NULL`,
        nowS,
        by,
        id,
        caller.member.id,
      );
      return changes > 0;
    },

    async close(id) {
      connection.run(
        "UPDATE sessions SET status = 'closed', ended_at = ? WHERE member_id = ? AND id = ?",
        nowS,
        caller.member.id,
        id,
      );
    },
  };
}

interface Known {
  readonly id: number;
  readonly content_hash: string;
  readonly version: number;
  readonly archived_at: number | null;
  /** Was it last put away because its source was gone. */
  readonly is_retired: number | null;
  /** How often it was put away for that, or brought back, or worded by a model. */
  readonly moves: number;
  /** Words of the rule, where a model has put them in other words. */
  readonly ruled: string | null;
}

const KNOWN = `SELECT id, content_hash, version, archived_at,
    (SELECT reason = '${SOURCE_GONE}' FROM memory_versions v WHERE v.memory_id = m.id ORDER BY v.version DESC LIMIT 1) AS is_retired,
    (SELECT count(*) FROM memory_versions v WHERE v.memory_id = m.id AND (v.op IN ('restore', '${REWORD}', '${RECAPTURE}') OR v.reason = '${SOURCE_GONE}')) AS moves,
    (SELECT iif(op = '${REWORD}', snapshot ->> '$.content', NULL) FROM memory_versions v WHERE v.memory_id = m.id ORDER BY v.version DESC LIMIT 1) AS ruled
  FROM memories m WHERE capture_key = ?`;

async function capture(
  tx: Transaction,
  memories: MemoryWrites,
  { captureKey, session, rule, at, ...draft }: CapturedMemory,
): Promise<{ outcome: CaptureOutcome; id: number | undefined }> {
  const { sync: connection } = tx;
  if (connection.get("SELECT 1 FROM purged WHERE capture_key = ?", captureKey) !== undefined)
    return { outcome: "purged", id: undefined };
  const known = connection.get<Known>(KNOWN, captureKey);
  if (known) return { outcome: await refresh(tx, memories, known, draft), id: known.id };
  const twin = await memories.sameWords(draft);
  if (twin) return { outcome: "same_words", id: twin.id };
  const { id } = await memories.add(draft);
  connection.run(
    `UPDATE memories SET capture_key = ?, session_id = ?, source_type = 'conversation', source = ?, created_at = ?, known_at = ? WHERE id = ?`,
    captureKey,
    session,
    rule,
    toSeconds(at),
    isOfThePast(at, tx.now) ? tx.nowS : null,
    id,
  );
  return { outcome: "inserted", id };
}

/** Every change by a member makes a version; rows with one stay as they are. */
async function refresh(
  tx: Transaction,
  memories: MemoryWrites,
  { id, content_hash, version, archived_at, is_retired, moves, ruled }: Known,
  draft: NewMemory,
): Promise<CaptureOutcome> {
  const { text } = draft;
  const isBack = archived_at !== null && is_retired === 1;
  const isSame = content_hash === text.contentHash || ruled === text.content;
  if (isSame && !isBack) return "unchanged";
  const found = archived_at === null || isBack ? await memories.byId(id) : undefined;
  if (!found) return "kept";
  if (isBack && (await memories.sameWords(draft))) return "same_words";
  const memory = isBack ? await memories.restore(found) : found;
  const isChanged = version - 1 > moves;
  if (isSame || isChanged) return isBack ? "updated" : "kept";
  if (ruled !== null) keepVersion(tx, memory, RECAPTURE);
  changeWords(tx, memory, text);
  tx.sync.run("UPDATE memories SET updated_at = ? WHERE id = ?", tx.nowS, id);
  tx.touch(id);
  return "updated";
}
