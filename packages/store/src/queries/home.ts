import type { Space } from "@chest/core/access";
import type { News } from "@chest/core/ports";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toSeconds } from "../database/rows.ts";

const MOST_OPENED = 5;

const sqlOf = statements((d) => {
  const seen = `${d.isOneOf("m.space")} AND m.archived_at IS NULL`;
  return {
    made: `SELECT m.project_id, p.key, count(*) AS memories FROM memories m LEFT JOIN projects p ON p.id = m.project_id
      WHERE ${seen} AND m.created_at >= ? AND NOT ${isOfJournal("m")} GROUP BY m.project_id, p.key ORDER BY 3 DESC, 2`,
    opened: `SELECT l.memory_id AS id, count(*) AS times, sum(count(*)) OVER () AS total
      FROM memory_access_log l JOIN memories m ON m.id = l.memory_id WHERE ${seen} AND l.accessed_at >= ?
      GROUP BY l.memory_id ORDER BY 2 DESC, 1 DESC LIMIT ${MOST_OPENED}`,
  };
});

interface MadeRow {
  readonly project_id: number | null;
  readonly key: string | null;
  readonly memories: number;
}

/**
 * Totals of the activity since a moment.
 * @param open Spaces in which the caller may know a project by its key.
 */
export async function news(
  connection: Reading,
  { spaces, open }: { readonly spaces: readonly Space[]; readonly open: readonly Space[] },
  since: Date,
): Promise<News> {
  const sql = sqlOf(connection.dialect);
  const sinceS = toSeconds(since);
  const [made, opened] = await Promise.all([
    connection.all<MadeRow>(sql.made, spaces, sinceS),
    connection.all<{ id: number; times: number; total: number }>(sql.opened, spaces, sinceS),
  ]);
  const known = new Set<string>(open);
  const byKey = new Map<string | undefined, number>();
  for (const { project_id: id, key, memories } of made) {
    const told = known.has(`p${id}`) ? (key ?? undefined) : undefined;
    byKey.set(told, (byKey.get(told) ?? 0) + Number(memories));
  }
  return {
    projects: [...byKey].map(([key, memories]) => ({ key, memories })).sort((a, b) => b.memories - a.memories),
    opened: Number(opened[0]?.total ?? 0),
    mostOpened: opened.map(({ id, times }) => ({ id, times: Number(times) })),
  };
}
