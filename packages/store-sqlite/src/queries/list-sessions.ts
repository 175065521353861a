import type { SessionSummary, Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";

export interface SessionPage {
  readonly total: number;
  readonly sessions: readonly SessionSummary[];
}

interface SessionRow {
  readonly id: string;
  readonly author: string;
  readonly project: string | null;
  readonly memories: number;
  readonly edits: number;
  readonly first: number;
  readonly last: number;
}

// By the index of sessions, not by that of spaces: it has the rows in the order of their groups.
const LIVE = "session_id IS NOT NULL AND archived_at IS NULL AND +space IN (SELECT value FROM json_each(?))";
const TOTAL = `SELECT count(*) AS total FROM (SELECT 1 FROM memories WHERE ${LIVE} GROUP BY session_id, author_id)`;
const PAGE = `WITH found AS (
    SELECT session_id, author_id, count(*) AS memories, min(created_at) AS first, max(created_at) AS last, max(id) AS newest
    FROM memories WHERE ${LIVE} GROUP BY session_id, author_id ORDER BY last DESC, newest DESC LIMIT ? OFFSET ?)
  SELECT f.session_id AS id, a.name AS author, p.key AS project, f.memories, f.first, f.last,
    (SELECT count(*) FROM session_file_edits e WHERE e.session_id = f.session_id AND e.member_id = f.author_id
       AND e.operation IN ('edit', 'write') AND e.space IN (SELECT value FROM json_each(?))) AS edits
  FROM found f JOIN members a ON a.id = f.author_id JOIN memories m ON m.id = f.newest 
    LEFT JOIN projects p ON p.id = m.project_id
      AND 'p' || p.id IN (SELECT value FROM json_each(?))
  ORDER BY f.last DESC, f.newest DESC`;

/** Sessions by their last memory, each with its project where that is among the open ones. */
export function listSessions(
  connection: Reading,
  { spaces, open }: { readonly spaces: readonly Space[]; readonly open: readonly Space[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): SessionPage {
  const places = JSON.stringify(spaces);
  const rows = connection.all<SessionRow>(PAGE, places, limit, offset, places, JSON.stringify(open));
  return {
    total: connection.get<{ total: number }>(TOTAL, places)?.total ?? 0,
    sessions: rows.map(({ project, first, last, ...row }) => ({
      ...row,
      project: project ?? undefined,
      firstAt: toDate(first),
      lastAt: toDate(last),
    })),
  };
}
