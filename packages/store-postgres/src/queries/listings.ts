import type { Link, Listings, MemoryParts, Reach, Space } from "@chest/core";
import { toDate } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { sourcesOf } from "../memories/sources.ts";
import { inSpaces } from "../search/condition.ts";
import { listSessions } from "./list-sessions.ts";
import { countTags, sumCategories, sumShares } from "./list-sums.ts";
import { openings } from "./timeline.ts";

interface ListingParts {
  readonly reader: Reading;
  /** Asks what goes over many rows, and refuses where that takes too long. */
  readonly search: <T>(ask: (searcher: Reading) => Promise<T>) => Promise<T>;
  readonly spacesIn: (reach: Reach) => Promise<readonly Space[]>;
}

/** Lists and sums as one caller may see them. */
export function listings({ reader, search, spacesIn }: ListingParts): Listings {
  const isOpen = async (id: number): Promise<boolean> =>
    (await reader.get(`SELECT 1 FROM memories m WHERE m.id = ? AND ${IN_PLACE}`, id, await spacesIn("everywhere"))) !==
    undefined;
  return {
    tags: ({ where: { reach, ...where }, ...page }) =>
      search(async (searcher) => countTags(searcher, where, await spacesIn(reach), page)),
    categories: ({ where: { reach, ...where }, ...most }) =>
      search(async (searcher) => sumCategories(searcher, where, await spacesIn(reach), most)),
    statistics: (reach) =>
      search(async (searcher) => sumShares(searcher, await spacesIn(reach), await spacesIn("everywhere"))),
    sessions: ({ reach, ...page }) =>
      search(async (searcher) => {
        const [spaces, open] = await Promise.all([spacesIn(reach), spacesIn("everywhere")]);
        return listSessions(searcher, { spaces, open }, page);
      }),
    openings: (reach, since) => search(async (searcher) => openings(searcher, await spacesIn(reach), since)),
    links: async (ids) => linksOf(reader, ids, await spacesIn("everywhere")),
    async names(memories) {
      const open = new Set(await spacesIn("everywhere"));
      const opened = memories.flatMap(({ projectId }) => (open.has(`p${projectId}`) ? (projectId ?? []) : []));
      const [authors, projects] = await Promise.all([
        namesOf(reader, AUTHORS, new Set(memories.map(({ authorId }) => authorId))),
        namesOf(reader, PROJECTS, new Set(opened)),
      ]);
      return { authors, projects };
    },
    async readings(id, limit) {
      if (!(await isOpen(id))) return [];
      const rows = await reader.all<{ name: string | null; at: number }>(READINGS, id, limit);
      return rows.map(({ name, at }) => ({ by: name ?? undefined, at: toDate(at) }));
    },
    async parts(id) {
      if (!(await isOpen(id))) return undefined;
      const [row, files, sources] = await Promise.all([
        reader.get<{ client: string | null }>("SELECT client FROM memories WHERE id = ?", id),
        reader.all<MemoryParts["files"][number]>(FILES, id),
        sourcesOf(reader, id),
      ]);
      return { client: row?.client ?? undefined, files: files.map(({ path, role }) => ({ path, role })), sources };
    },
  };
}

const IN_PLACE = inSpaces([]).sql;
const FILES = `SELECT path, role FROM memory_files WHERE memory_id = ? ORDER BY path COLLATE "C", role`;
const READINGS = `SELECT a.name, l.accessed_at AS at FROM memory_access_log l LEFT JOIN members a ON a.id = l.member_id
  WHERE l.memory_id = ? ORDER BY l.accessed_at DESC, l.id DESC LIMIT ?`;
const AUTHORS = "SELECT id, name FROM members WHERE id = ANY (?)";
const PROJECTS = "SELECT id, key AS name FROM projects WHERE id = ANY (?)";

async function namesOf(reader: Reading, sql: string, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  if (ids.size === 0) return new Map();
  const rows = await reader.all<{ id: number; name: string }>(sql, [...ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const LINKS = `SELECT l.from_id, l.to_id, l.type, l.note, l.origin, a.name AS author, l.created_at
  FROM (SELECT * FROM memory_links WHERE from_id = ANY (?) UNION SELECT * FROM memory_links WHERE to_id = ANY (?)) l
    JOIN members a ON a.id = l.author_id
    JOIN memories m ON m.id = l.from_id AND ${IN_PLACE}
    JOIN memories t ON t.id = l.to_id AND t.space = ANY (?)
  ORDER BY l.created_at DESC, l.from_id DESC, l.to_id DESC, l.type`;

interface LinkRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly type: string;
  readonly note: string | null;
  readonly origin: string;
  readonly author: string;
  readonly created_at: number;
}

async function linksOf(reader: Reading, ids: readonly number[], open: readonly Space[]): Promise<Link[]> {
  if (ids.length === 0) return [];
  const rows = await reader.all<LinkRow>(LINKS, ids, ids, open, open);
  return rows.map((row) => ({
    from: row.from_id,
    to: row.to_id,
    type: row.type,
    note: row.note ?? undefined,
    isManual: row.origin === "manual",
    author: row.author,
    createdAt: toDate(row.created_at),
  }));
}
