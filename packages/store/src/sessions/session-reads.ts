import type { Member, Space } from "@chest/core/access";
import {
  HANDOFF_KINDS,
  type LastWork,
  type SessionReads,
  type TranscriptProgress,
  type WorkSnapshot,
} from "@chest/core/ports";
import { isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toDate, toDateIfAny, toMemory } from "../database/rows.ts";

const SNAPSHOT_S = 14 * 86_400;
const MOST_FILES = 50;
const MOST_MEMORIES = 200;

interface SessionRow {
  readonly project_id: number | null;
  readonly imported_lines: number;
  readonly last_line_hash: string | null;
  readonly carry: string | null;
}

const OWN_IDS = "SELECT id FROM memories WHERE session_id = ? AND author_id = ?";
const OWN = "SELECT project_id, imported_lines, last_line_hash, carry FROM sessions WHERE member_id = ? AND id = ?";

interface SnapshotRow {
  readonly session_id: string;
  readonly kind: string;
  readonly body: string;
  /** A list, as JSON. */
  readonly keywords: string | null;
  readonly git_sha: string | null;
  readonly branch: string | null;
  readonly created_at: number;
  readonly consumed_by: string | null;
}

const SNAPSHOT = "session_id, kind, body, keywords, git_sha, branch, created_at, consumed_by";

const sqlOf = statements((d) => {
  // A member may read its own snapshots if it may open their project.
  const snapshots = `SELECT ${SNAPSHOT} FROM session_snapshots
    WHERE member_id = ? AND created_at > ? AND (project_id IS NULL OR ${d.isOneOf("'p' || project_id")})`;
  const newest = "ORDER BY created_at DESC, session_id DESC LIMIT";
  return {
    files: `SELECT m.file_path AS path, count(*) AS edits FROM session_file_edits m
      WHERE m.session_id = ? AND m.member_id = ? AND m.operation IN ('edit', 'write') AND ${d.isOneOf("m.space")}
      GROUP BY m.file_path ORDER BY edits DESC, max(m.id) DESC LIMIT ${MOST_FILES}`,
    memories: `SELECT ${memoryColumns(d)}, m.source AS rule, m.capture_key ${MEMORY_FROM}
      WHERE m.session_id = ? AND m.author_id = ? AND m.archived_at IS NULL AND ${d.isOneOf("m.space")} AND ${isUnexpired("m")}
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_MEMORIES}`,
    snapshotOf: `${snapshots} AND session_id = ? ORDER BY created_at DESC LIMIT 1`,
    lastIn: `${snapshots} AND project_id IS NOT DISTINCT FROM ? ${newest} 1`,
    last: `${snapshots} ${newest} ?`,
  };
});

const LAST_SEEN = `SELECT max(last_seen_at) AS at FROM sessions
  WHERE member_id = ? AND project_id IS NOT DISTINCT FROM ? AND id <> ?`;

export interface CallerContext {
  readonly spaces: () => Promise<readonly Space[]>;
  /** Project of the caller; undefined for none, or one without rows. */
  readonly projectId: () => Promise<number | undefined>;
  /** Session of the caller. */
  readonly session: () => Promise<string | undefined>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A member's own sessions: transcript progress and snapshots. */
export function sessionReads(
  connection: Reading,
  member: Member,
  { spaces, projectId, session: current, now }: CallerContext,
): SessionReads {
  const sql = sqlOf(connection.dialect);
  const own = (id: string) => connection.get<SessionRow>(OWN, member.id, id);
  const isOpen = (opened: readonly Space[], project: number | null | undefined) =>
    project == null || opened.includes(`p${project}`);
  return {
    async progress(id) {
      const row = await own(id);
      if (!row || row.imported_lines === 0) return undefined;
      const progress = toProgress(row);
      return isOpen(await spaces(), row.project_id) ? progress : { ...progress, carry: undefined };
    },
    async trace(id) {
      const open = await spaces();
      const [session, files, rows] = await Promise.all([
        own(id),
        connection.all<{ path: string; edits: number }>(sql.files, id, member.id, open),
        connection.all<MemoryRow & { rule: string | null; capture_key: string | null }>(
          sql.memories,
          id,
          member.id,
          open,
          now(),
        ),
      ]);
      return {
        files: files.map(({ path, edits }) => ({ path, edits })),
        memories: rows.map((row) => ({
          memory: toMemory(row),
          rule: row.rule ?? undefined,
          captureKey: row.capture_key ?? undefined,
        })),
        carry: (isOpen(open, session?.project_id) && session?.carry) || undefined,
      };
    },
    ownIds: async (id) => new Set(await connection.ids(OWN_IDS, id, member.id)),
    current,
    async project(id) {
      const keyOf =
        "SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project_id WHERE s.id = ? AND s.member_id = ?";
      return (await connection.get<{ key: string }>(keyOf, id, member.id))?.key;
    },
    async workSnapshot(id) {
      const row = await connection.get<SnapshotRow>(sql.snapshotOf, member.id, now() - SNAPSHOT_S, await spaces(), id);
      return row && toSnapshot(row);
    },
    async lastWork() {
      const [open, project] = await Promise.all([spaces(), projectId()]);
      const row = await connection.get<SnapshotRow>(sql.lastIn, member.id, now() - SNAPSHOT_S, open, project ?? null);
      return row && toLastWork(row);
    },
    async handoffs(limit) {
      const rows = await connection.all<SnapshotRow>(sql.last, member.id, now() - SNAPSHOT_S, await spaces(), limit);
      return rows.map(toLastWork);
    },
    async lastSeenAt(besides) {
      const row = await connection.get<{ at: number | null }>(
        LAST_SEEN,
        member.id,
        (await projectId()) ?? null,
        besides,
      );
      return toDateIfAny(row?.at ?? null);
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
