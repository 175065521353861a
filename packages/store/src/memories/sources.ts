import { confirmedConfidence, type NewSource, type SourceStatus } from "@chest/core/memory";
import type { MemorySource, SourceOfMemory, SourceReads, SourceWrites } from "@chest/core/ports";
import { isUnexpired } from "../database/condition.ts";
import type { Reading, SqlValue, Statements } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDateIfAny, toSeconds } from "../database/rows.ts";
import type { SpacesIn } from "../database/spaces.ts";
import type { Transaction } from "../database/transaction.ts";

const COLUMNS = `s.path, s.line, s.end_line, s.hash, s.git_commit, s.status, s.checked_at, s.found_hash, a.name AS checked_by
  FROM memory_sources s LEFT JOIN members a ON a.id = s.checked_by`;
const OF_ONE = `SELECT ${COLUMNS} WHERE s.memory_id = ?`;

interface SourceRow {
  readonly path: string;
  readonly line: number | null;
  readonly end_line: number | null;
  readonly hash: string | null;
  readonly git_commit: string | null;
  readonly status: SourceStatus;
  readonly checked_at: number | null;
  readonly checked_by: string | null;
  readonly found_hash: string | null;
}

const toSource = (row: SourceRow): MemorySource => ({
  path: row.path,
  line: row.line ?? undefined,
  endLine: row.end_line ?? undefined,
  hash: row.hash ?? undefined,
  gitCommit: row.git_commit ?? undefined,
  status: row.status,
  checkedAt: toDateIfAny(row.checked_at),
  checkedBy: row.checked_by ?? undefined,
  foundHash: row.found_hash ?? undefined,
});

/** Sources of one memory. The caller must check who may open it. */
export const sourcesOf = async (connection: Pick<Reading, "all">, id: number): Promise<MemorySource[]> =>
  (await connection.all<SourceRow>(OF_ONE, id)).map(toSource).sort((a, b) => (a.path < b.path ? -1 : 1));

/** @param projectId of the caller's project; undefined where it has none, or one that holds nothing yet */
export const sourceReads = (
  connection: Reading,
  {
    spacesIn,
    projectId,
    now,
  }: {
    readonly spacesIn: SpacesIn;
    readonly projectId: () => Promise<number | undefined>;
    readonly now: () => number;
  },
): SourceReads => ({
  async find({ reach, ids, path = "", isHere, limit }) {
    const here = (await projectId()) ?? null;
    const d = connection.dialect;
    const parts = [d.isOneOf("m.space")];
    const values: SqlValue[] = [await spacesIn(reach)];
    if (ids) {
      parts.push(d.isOneOf("s.memory_id"));
      values.push(ids);
    } else {
      parts.push("m.archived_at IS NULL", isUnexpired("m"));
      values.push(now());
    }
    if (isHere) {
      parts.push("m.project_id IS NOT DISTINCT FROM ?");
      values.push(here);
    }
    if (path !== "") {
      parts.push("(s.path = ? OR substr(s.path, 1, length(?)) = ?)");
      values.push(path, `${path}/`, `${path}/`);
    }
    const where = `JOIN memories m ON m.id = s.memory_id WHERE ${parts.join(" AND ")}`;
    const rows = await connection.all<SourceRow & { memory_id: number; is_here: boolean | number; total: number }>(
      `SELECT s.memory_id, m.project_id IS NOT DISTINCT FROM ? AS is_here, count(*) OVER () AS total, ${COLUMNS} ${where}
       ORDER BY s.checked_at NULLS FIRST, s.memory_id, s.path LIMIT ?`,
      here,
      ...values,
      limit,
    );
    const sources = rows.map(
      (row): SourceOfMemory => ({
        ...toSource(row),
        memoryId: row.memory_id,
        isHere: Boolean(row.is_here),
      }),
    );
    return { total: rows[0]?.total ?? 0, sources };
  },
});

// The key contains a digest of the path, because a path may exceed the length of an index row.
const putOf = statements(
  (d) => `INSERT INTO memory_sources (memory_id, path, line, end_line, hash, git_commit) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (memory_id, ${d.indexedText("path")}) DO UPDATE SET (line, end_line, hash, git_commit, status, checked_at, checked_by, found_hash) =
    (excluded.line, excluded.end_line, excluded.hash, excluded.git_commit, 'unknown', NULL, NULL, NULL)`,
);
const CHECK =
  "UPDATE memory_sources SET (status, checked_at, checked_by, found_hash) = (?, ?, ?, ?) WHERE memory_id = ? AND path = ?";
const ANCHOR = "UPDATE memory_sources SET (hash, git_commit) = (?, ?) WHERE memory_id = ? AND path = ?";

export function sourceWrites({ connection, caller, now, nowS, touch }: Transaction): SourceWrites {
  return {
    of: ({ id }) => sourcesOf(connection, id),
    async put({ id }, sources, replaces) {
      if (replaces) connection.later("DELETE FROM memory_sources WHERE memory_id = ?", id);
      for (const source of sources) connection.later(putOf(connection.dialect), id, ...cellsOf(source));
      touch(id);
    },
    async check({ id }, checks) {
      for (const { path, status, anchor, foundHash } of checks) {
        connection.later(CHECK, status, nowS, caller.member.id, foundHash ?? null, id, path);
        if (anchor) connection.later(ANCHOR, anchor.hash ?? null, anchor.gitCommit ?? null, id, path);
      }
      touch(id);
      if (checks.some(({ status }) => status !== "ok")) return;
      await confirmMemory(connection, id, now);
    },
  };
}

/** Raises a memory's confidence because something confirmed it at this time; not for what was known then already. */
export async function confirmMemory(connection: Statements, id: number, at: Date): Promise<void> {
  const row = await connection.get<{ confidence: number; last_verified_at: number | null }>(
    `SELECT confidence, last_verified_at FROM memories WHERE id = ? ${connection.dialect.forNoKeyUpdate}`,
    id,
  );
  const verifiedAt = toDateIfAny(row?.last_verified_at ?? null);
  if (!row || (verifiedAt && verifiedAt > at)) return;
  const confidence = confirmedConfidence(row.confidence, verifiedAt, at);
  const sql = "UPDATE memories SET (confidence, last_verified_at) = (?, ?) WHERE id = ?";
  connection.later(sql, confidence, toSeconds(at), id);
}

const cellsOf = ({ path, line, endLine, hash, gitCommit }: NewSource) => [
  path,
  line ?? null,
  endLine ?? null,
  hash ?? null,
  gitCommit ?? null,
];
