import type { SessionSummary, Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";

interface SessionRow {
  readonly id: string;
  readonly author: string;
  readonly project: string | null;
  readonly memories: number;
  readonly edits: number;
  readonly first: number;
  readonly last: number;
}

const sqlOf = statements((d) => {
  // By the index of sessions, not by that of spaces: it has the rows in the order of their groups.
  const live = `m.session_id IS NOT NULL AND m.archived_at IS NULL AND ${d.isOneOf(d.unindexed("m.space"))}`;
  return {
    total: `SELECT count(*) AS total FROM (SELECT 1 FROM memories m WHERE ${live} GROUP BY session_id, author_id) each_one`,
    page: `WITH found AS (
        SELECT m.session_id, m.author_id, count(*) AS memories, min(m.created_at) AS first, max(m.created_at) AS last, max(m.id) AS newest
        FROM memories m WHERE ${live} GROUP BY m.session_id, m.author_id ORDER BY last DESC, newest DESC LIMIT ? OFFSET ?)
      SELECT f.session_id AS id, a.name AS author, p.key AS project, f.memories, f.first, f.last,
        (SELECT count(*) FROM session_file_edits e WHERE e.session_id = f.session_id AND e.member_id = f.author_id
           AND e.operation IN ('edit', 'write') AND ${d.isOneOf("e.space")}) AS edits
      FROM found f JOIN members a ON a.id = f.author_id JOIN memories m ON m.id = f.newest
        LEFT JOIN projects p ON p.id = m.project_id AND ${d.isOneOf("'p' || p.id")}
      ORDER BY f.last DESC, f.newest DESC`,
  };
});

/** Sessions by their last memory, each with its project where that is among the open ones. */
export async function listSessions(
  connection: Reading,
  { spaces, open }: { readonly spaces: readonly Space[]; readonly open: readonly Space[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly sessions: readonly SessionSummary[] }> {
  const sql = sqlOf(connection.dialect);
  const [counted, rows] = await Promise.all([
    connection.get<{ total: number }>(sql.total, spaces),
    connection.all<SessionRow>(sql.page, spaces, limit, offset, spaces, open),
  ]);
  return {
    total: counted?.total ?? 0,
    sessions: rows.map(({ project, first, last, ...row }) => ({
      ...row,
      project: project ?? undefined,
      firstAt: toDate(first),
      lastAt: toDate(last),
    })),
  };
}
