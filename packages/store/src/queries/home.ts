import type { Space } from "@chest/core/access";
import type { News, NewsQuery } from "@chest/core/ports";
import { isUnexpired, journalMark } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";

/** The newest memories of a long time are nearly always among those of the last month. */
const MONTH_S = 30 * 86_400;

/** Statements of the news, with the spaces of the caller, the time and a moment as their first values. */
export const newsStatements = statements((d) => {
  const seen = `${d.isOneOf("m.space")} AND m.archived_at IS NULL AND ${isUnexpired("m")}`;
  // One index contains all columns of these counts: after a year away most memories of a store are new.
  const made = `FROM memories m${d.indexedBy("memories_listed")} WHERE ${seen} AND m.created_at >= ? AND ${journalMark("m")} = 0`;
  const newest = "ORDER BY m.created_at DESC, m.id DESC LIMIT ?";
  return {
    made: `SELECT n.project_id, p.key, n.memories
      FROM (SELECT m.project_id, count(*) AS memories ${made} GROUP BY m.project_id) n LEFT JOIN projects p ON p.id = n.project_id
      ORDER BY 3 DESC, 2`,
    newest: `SELECT m.id ${made} ${newest}`,
    rules: `SELECT m.id ${made} AND m.layer = 'realize' AND m.author_id <> ? ${newest}`,
    // Memories that were not opened since then have no such row in the log, and are many.
    opened: `SELECT m.id, count(*) AS times, sum(count(*)) OVER () AS total
      FROM memories m${d.indexedBy("memories_used")} JOIN memory_access_log l ON l.memory_id = m.id
      WHERE ${seen} AND m.last_accessed_at >= ? AND l.accessed_at >= ? GROUP BY m.id ORDER BY 2 DESC, 1 DESC LIMIT ?`,
  };
});

interface CreatedRow {
  readonly project_id: number | null;
  readonly key: string | null;
  readonly memories: number;
}

interface OpenedRow {
  readonly id: number;
  readonly times: number;
  readonly total: number;
}

interface HomeScope {
  readonly spaces: readonly Space[];
  /** Spaces in which the caller may know a project by its key. */
  readonly open: readonly Space[];
  /** Id of the caller's member. */
  readonly self: number;
  /** Unix seconds. */
  readonly nowS: number;
}

/** Totals of the activity since a moment, and its newest and most opened memories. */
export async function news(
  connection: Reading,
  { spaces, open, self, nowS }: HomeScope,
  { since, mostNewest, mostRules, mostOpened }: NewsQuery,
): Promise<News> {
  const sql = newsStatements(connection.dialect);
  const sinceS = Math.ceil(since.getTime() / 1000);
  const newestOf = async (statement: string, most: number, ...more: readonly number[]): Promise<number[]> => {
    const idsFrom = async (fromS: number) =>
      (await connection.all<{ id: number }>(statement, spaces, nowS, fromS, ...more, most)).map(({ id }) => id);
    const recentS = Math.max(sinceS, nowS - MONTH_S);
    const recent = await idsFrom(recentS);
    return recent.length < most && sinceS < recentS ? idsFrom(sinceS) : recent;
  };
  const [made, newest, rules, opened] = await Promise.all([
    connection.all<CreatedRow>(sql.made, spaces, nowS, sinceS),
    newestOf(sql.newest, mostNewest),
    newestOf(sql.rules, mostRules, self),
    connection.all<OpenedRow>(sql.opened, spaces, nowS, sinceS, sinceS, mostOpened),
  ]);
  const known = new Set<string>(open);
  const byKey = new Map<string | undefined, number>();
  for (const { project_id: id, key, memories } of made) {
    const told = known.has(`p${id}`) ? (key ?? undefined) : undefined;
    byKey.set(told, (byKey.get(told) ?? 0) + Number(memories));
  }
  return {
    projects: [...byKey].map(([key, memories]) => ({ key, memories })).sort((a, b) => b.memories - a.memories),
    newest,
    rules,
    opened: Number(opened[0]?.total ?? 0),
    mostOpened: opened.map(({ id, times }) => ({ id, times: Number(times) })),
  };
}
