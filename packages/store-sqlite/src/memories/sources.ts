import {
  confirmedConfidence,
  type MemorySource,
  type NewSource,
  type Reach,
  type SourceOfMemory,
  type SourceReads,
  type SourceStatus,
  type SourceWrites,
  type Space,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";

const COLUMNS = `s.path, s.line, s.end_line, s.hash, s.git_commit, s.status, s.checked_at, a.name AS checked_by
  FROM memory_sources s LEFT JOIN members a ON a.id = s.checked_by`;
const OF_ONE = `SELECT ${COLUMNS} WHERE s.memory_id = ? ORDER BY s.path`;

interface SourceRow {
  readonly path: string;
  readonly line: number | null;
  readonly end_line: number | null;
  readonly hash: string | null;
  readonly git_commit: string | null;
  readonly status: string;
  readonly checked_at: number | null;
  readonly checked_by: string | null;
}

const toSource = (row: SourceRow): MemorySource => ({
  path: row.path,
  line: row.line ?? undefined,
  endLine: row.end_line ?? undefined,
  hash: row.hash ?? undefined,
  gitCommit: row.git_commit ?? undefined,
  status: row.status as SourceStatus,
  checkedAt: row.checked_at === null ? undefined : toDate(row.checked_at),
  checkedBy: row.checked_by ?? undefined,
});

/** Sources of one memory. Who may open it is asked before. */
export const sourcesOf = (connection: Pick<Reading, "all">, id: number): MemorySource[] =>
  connection.all<SourceRow>(OF_ONE, id).map(toSource);

interface SourceParts {
  readonly spaces: (reach: Reach) => readonly Space[];
  /** The caller's project; undefined where it has none, or one that holds nothing yet. */
  readonly projectId: () => number | undefined;
}

export const sourceReads = (connection: Reading, { spaces, projectId }: SourceParts): SourceReads => ({
  async find({ reach, ids, path = "", isHere, limit }) {
    const here = projectId() ?? null;
    const parts = ["m.space IN (SELECT value FROM json_each(?))"];
    const values: (string | number | null)[] = [JSON.stringify(spaces(reach))];
    if (ids) {
      parts.push("s.memory_id IN (SELECT value FROM json_each(?))");
      values.push(JSON.stringify(ids));
    } else parts.push("m.archived_at IS NULL");
    if (isHere) {
      parts.push("m.project_id IS ?");
      values.push(here);
    }
    if (path !== "") {
      parts.push("(s.path = ? OR substr(s.path, 1, length(?)) = ?)");
      values.push(path, `${path}/`, `${path}/`);
    }
    const where = `JOIN memories m ON m.id = s.memory_id WHERE ${parts.join(" AND ")}`;
    const rows = connection.all<SourceRow & { memory_id: number; is_here: number; total: number }>(
      `SELECT s.memory_id, m.project_id IS ? AS is_here, count(*) OVER () AS total, ${COLUMNS} ${where}
       ORDER BY s.checked_at, s.memory_id, s.path LIMIT ?`,
      here,
      ...values,
      limit,
    );
    const sources = rows.map(
      (row): SourceOfMemory => ({ ...toSource(row), memoryId: row.memory_id, isHere: row.is_here === 1 }),
    );
    return { total: rows[0]?.total ?? 0, sources };
  },
});

const PUT = `INSERT INTO memory_sources (memory_id, path, line, end_line, hash, git_commit) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (memory_id, path) DO UPDATE SET (line, end_line, hash, git_commit, status, checked_at, checked_by) =
    (excluded.line, excluded.end_line, excluded.hash, excluded.git_commit, 'unknown', NULL, NULL)`;
const CHECK = "UPDATE memory_sources SET (status, checked_at, checked_by) = (?, ?, ?) WHERE memory_id = ? AND path = ?";
const ANCHOR = "UPDATE memory_sources SET (hash, git_commit) = (?, ?) WHERE memory_id = ? AND path = ?";

export function sourceWrites({ sync: connection, caller, now, nowS, touch }: Transaction): SourceWrites {
  return {
    of: async ({ id }) => sourcesOf(connection, id),
    async put({ id }, sources, replaces) {
      if (replaces) connection.run("DELETE FROM memory_sources WHERE memory_id = ?", id);
      for (const source of sources) connection.run(PUT, id, ...cellsOf(source));
      touch(id);
    },
    async check({ id }, checks) {
      for (const { path, status, anchor } of checks) {
        connection.run(CHECK, status, nowS, caller.member.id, id, path);
        if (anchor) connection.run(ANCHOR, anchor.hash ?? null, anchor.gitCommit ?? null, id, path);
      }
      touch(id);
      if (checks.some(({ status }) => status !== "ok")) return;
      const row = connection.get<{ confidence: number; last_verified_at: number | null }>(
        "SELECT confidence, last_verified_at FROM memories WHERE id = ?",
        id,
      );
      if (!row) return;
      const lastAt = row.last_verified_at === null ? undefined : toDate(row.last_verified_at);
      const confidence = confirmedConfidence(row.confidence, lastAt, now);
      connection.run("UPDATE memories SET (confidence, last_verified_at) = (?, ?) WHERE id = ?", confidence, nowS, id);
    },
  };
}

const cellsOf = ({ path, line, endLine, hash, gitCommit }: NewSource) => [
  path,
  line ?? null,
  endLine ?? null,
  hash ?? null,
  gitCommit ?? null,
];
