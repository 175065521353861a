import type { Link, Listings, Reach, Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import { sourcesOf } from "../memories/sources.ts";
import { refuseOnTimeout, type SearchPool } from "../threads/search-pool.ts";

/** Lists and sums as one caller may see them: what goes over many rows is asked of the pool. */
export function listings(
  reader: Reading,
  pool: Pick<SearchPool, "ask">,
  spaces: (reach: Reach) => readonly Space[],
): Listings {
  return {
    tags: ({ where: { reach, ...where }, ...page }) =>
      refuseOnTimeout(pool.ask("tags", { where, spaces: spaces(reach), page })),
    categories: ({ where: { reach, ...where }, ...most }) =>
      refuseOnTimeout(pool.ask("categories", { where, spaces: spaces(reach), most })),
    statistics: (reach) =>
      refuseOnTimeout(pool.ask("statistics", { spaces: spaces(reach), open: spaces("everywhere") })),
    sessions: ({ reach, ...page }) =>
      refuseOnTimeout(pool.ask("sessions", { spaces: spaces(reach), open: spaces("everywhere"), page })),
    openings: (reach, since) => refuseOnTimeout(pool.ask("openings", { spaces: spaces(reach), since })),
    links: async (ids) => linksOf(reader, ids, spaces("everywhere")),
    async names(memories) {
      const open = new Set(spaces("everywhere"));
      const projects = memories.flatMap(({ projectId }) => (open.has(`p${projectId}`) ? (projectId ?? []) : []));
      return {
        authors: namesOf(reader, AUTHORS, new Set(memories.map(({ authorId }) => authorId))),
        projects: namesOf(reader, PROJECTS, new Set(projects)),
      };
    },
    async readings(id, limit) {
      const row = reader.get<{ space: Space }>("SELECT space FROM memories WHERE id = ?", id);
      if (!row || !spaces("everywhere").includes(row.space)) return [];
      const rows = reader.all<{ name: string | null; at: number }>(READINGS, id, limit);
      return rows.map(({ name, at }) => ({ by: name ?? undefined, at: toDate(at) }));
    },
    async parts(id) {
      const row = reader.get<{ space: Space; client: string | null }>(
        "SELECT space, client FROM memories WHERE id = ?",
        id,
      );
      if (!row || !spaces("everywhere").includes(row.space)) return undefined;
      return {
        client: row.client ?? undefined,
        files: reader.all("SELECT path, role FROM memory_files WHERE memory_id = ? ORDER BY path, role", id),
        sources: sourcesOf(reader, id),
      };
    },
  };
}

const READINGS = `SELECT a.name, l.accessed_at AS at FROM memory_access_log l LEFT JOIN members a ON a.id = l.member_id
  WHERE l.memory_id = ? ORDER BY l.accessed_at DESC LIMIT ?`;
const AUTHORS = "SELECT id, name FROM members WHERE id IN (SELECT value FROM json_each(?))";
const PROJECTS = "SELECT id, key AS name FROM projects WHERE id IN (SELECT value FROM json_each(?))";

function namesOf(reader: Reading, sql: string, ids: ReadonlySet<number>): ReadonlyMap<number, string> {
  if (ids.size === 0) return new Map();
  const rows = reader.all<{ id: number; name: string }>(sql, JSON.stringify([...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const LINKS = `SELECT l.from_id, l.to_id, l.type, l.note, l.origin, a.name AS author, l.created_at,
    f.space AS from_space, t.space AS to_space
  FROM (SELECT * FROM memory_links WHERE from_id IN (SELECT value FROM json_each(?))
      UNION SELECT * FROM memory_links WHERE to_id IN (SELECT value FROM json_each(?))) l
    JOIN members a ON a.id = l.author_id
    JOIN memories f ON f.id = l.from_id JOIN memories t ON t.id = l.to_id
  ORDER BY l.created_at DESC, l.from_id DESC, l.to_id DESC, l.type`;

interface LinkRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly type: string;
  readonly note: string | null;
  readonly origin: string;
  readonly author: string;
  readonly created_at: number;
  readonly from_space: Space;
  readonly to_space: Space;
}

function linksOf(reader: Reading, ids: readonly number[], open: readonly Space[]): Link[] {
  if (ids.length === 0) return [];
  const asked = JSON.stringify(ids);
  const visible = new Set(open);
  return reader
    .all<LinkRow>(LINKS, asked, asked)
    .filter(({ from_space, to_space }) => visible.has(from_space) && visible.has(to_space))
    .map((row) => ({
      from: row.from_id,
      to: row.to_id,
      type: row.type,
      note: row.note ?? undefined,
      isManual: row.origin === "manual",
      author: row.author,
      createdAt: toDate(row.created_at),
    }));
}
