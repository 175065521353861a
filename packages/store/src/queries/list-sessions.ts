import type { Space } from "@chest/core/access";
import { LAST_SECOND } from "@chest/core/memory";
import type { SessionSummary } from "@chest/core/ports";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate, toSeconds } from "../database/rows.ts";

interface SessionRow {
  readonly id: string;
  readonly author: string;
  readonly project: string | null;
  readonly memories: number;
  readonly edits: number;
  readonly first: number;
  readonly last: number;
  readonly files: number;
  readonly named: number;
  readonly client: string | null;
}

const sqlOf = statements((d) => {
  // Uses the index of sessions instead of that of spaces, because it is in group order.
  const live = `m.session_id IS NOT NULL AND m.archived_at IS NULL AND ${d.isOneOf(d.unindexed("m.space"))}
    AND (CAST(? AS text) IS NULL OR m.author_id = (SELECT id FROM members WHERE name = ?))`;
  const between = "HAVING max(m.created_at) >= ? AND min(m.created_at) <= ?";
  const edits = `session_file_edits e WHERE e.session_id = f.session_id AND e.member_id = f.author_id
           AND e.operation IN ('edit', 'write') AND ${d.isOneOf("e.space")}`;
  return {
    total: `SELECT count(*) AS total FROM (SELECT 1 FROM memories m WHERE ${live} GROUP BY session_id, author_id ${between}) each_one`,
    page: `WITH found AS (
        SELECT m.session_id, m.author_id, count(*) FILTER (WHERE NOT ${isOfJournal("m")}) AS memories, min(m.created_at) AS first, max(m.created_at) AS last, max(m.id) AS newest
        FROM memories m WHERE ${live} GROUP BY m.session_id, m.author_id ${between} ORDER BY last DESC, newest DESC LIMIT ? OFFSET ?)
      SELECT f.session_id AS id, a.name AS author, p.key AS project, f.memories, f.first, f.last,
        (SELECT count(*) FROM ${edits}) AS edits, (SELECT count(DISTINCT e.file_path) FROM ${edits}) AS files,
        (SELECT n.id FROM memories n WHERE n.session_id = f.session_id AND n.author_id = f.author_id AND n.archived_at IS NULL
           AND ${d.isOneOf("n.space")}
           ORDER BY CASE WHEN n.capture_key IS NOT NULL AND n.source = 'first_intent' THEN 0 ELSE 1 END, n.created_at, n.id LIMIT 1) AS named,
        m.client
      FROM found f JOIN members a ON a.id = f.author_id JOIN memories m ON m.id = f.newest
        LEFT JOIN projects p ON p.id = m.project_id AND ${d.isOneOf("'p' || p.id")}
      ORDER BY f.last DESC, f.newest DESC`,
  };
});

interface SessionPage {
  readonly author?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Sessions by their last memory, each with its project if that is open to the caller. */
export async function listSessions(
  connection: Reading,
  { spaces, open }: { readonly spaces: readonly Space[]; readonly open: readonly Space[] },
  { author, since, until, limit, offset }: SessionPage,
): Promise<{ readonly total: number; readonly sessions: readonly SessionSummary[] }> {
  const sql = sqlOf(connection.dialect);
  const by = author ?? null;
  const where = [by, by, since ? toSeconds(since) : 0, until ? toSeconds(until) : LAST_SECOND] as const;
  const [counted, rows] = await Promise.all([
    connection.get<{ total: number }>(sql.total, spaces, ...where),
    connection.all<SessionRow>(sql.page, spaces, ...where, limit, offset, spaces, spaces, spaces, open),
  ]);
  return {
    total: counted?.total ?? 0,
    sessions: rows.map(({ project, first, last, client, ...row }) => ({
      ...row,
      client: client ?? undefined,
      project: project ?? undefined,
      firstAt: toDate(first),
      lastAt: toDate(last),
    })),
  };
}
