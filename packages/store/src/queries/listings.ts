import type { Reach, Space } from "@chest/core/access";
import { lookAlike } from "@chest/core/access";
import type { Link, Listings, MemoryParts } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";
import { sourcesOf } from "../memories/sources.ts";
import type { Masking } from "../memories/tombstones.ts";
import type { AskQuery } from "./queries.ts";

interface ListingParts {
  readonly reader: Reading;
  readonly ask: AskQuery;
  readonly spacesIn: (reach: Reach) => Promise<readonly Space[]>;
  /** Id of the caller's member. */
  readonly self: number;
  readonly masking: Masking;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Lists and totals that one caller may see; those over many rows run as a query. */
export function listings({ reader, ask, spacesIn, self, masking, now }: ListingParts): Listings {
  const sql = sqlOf(reader.dialect);
  const isOpen = async (id: number): Promise<boolean> =>
    (await reader.get(sql.isOpen, id, await spacesIn("everywhere"))) !== undefined;
  return {
    tags: async ({ where: { reach, ...where }, ...page }) =>
      ask("countTags", { ...where, nowS: now() }, await spacesIn(reach), page),
    categories: async ({ where: { reach, ...where }, ...most }) =>
      ask("sumCategories", { ...where, nowS: now() }, await spacesIn(reach), most),
    statistics: async (reach) => ask("sumShares", await spacesIn(reach), await spacesIn("everywhere"), now()),
    sessions: async ({ reach, ...page }) => {
      const [spaces, open] = await Promise.all([spacesIn(reach), spacesIn("everywhere")]);
      return ask("listSessions", { spaces, open }, page);
    },
    async sessionEvents(query) {
      const found = await ask("sessionEvents", { ...query, self, nowS: now() }, await spacesIn("everywhere"));
      if (!found) return undefined;
      const [rows, intents] = await Promise.all([
        masking.rows(found.memories.map(({ memory }) => memory)),
        masking.texts(
          found.edits.map(({ intent }) => intent ?? ""),
          found.authorId,
        ),
      ]);
      return {
        ...found,
        memories: found.memories.map((each, at) => ({ ...each, memory: rows[at] ?? each.memory })),
        edits: found.edits.map((edit, at) => ({ ...edit, intent: edit.intent && (intents[at] ?? edit.intent) })),
      };
    },
    openings: async (reach, since) => ask("openings", await spacesIn(reach), since),
    links: async (ids) => linksOf(reader, ids, await spacesIn("everywhere")),
    async names(memories) {
      const open = new Set(await spacesIn("everywhere"));
      const opened = memories.flatMap(({ projectId }) => (open.has(`p${projectId}`) ? (projectId ?? []) : []));
      const [authors, projects] = await Promise.all([
        namesOf(reader, sql.authors, new Set(memories.map(({ authorId }) => authorId))),
        namesOf(reader, sql.projects, new Set(opened)),
      ]);
      return { authors, projects };
    },
    async projectsLike(key) {
      const open = new Set(await spacesIn("everywhere"));
      const rows = await reader.all<{ id: number; key: string }>("SELECT id, key FROM projects ORDER BY id");
      return rows.filter((each) => open.has(`p${each.id}`) && lookAlike(each.key, key)).map((each) => each.key);
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
      return {
        client: row?.client ?? undefined,
        files: files.map(({ path, role }) => ({ path, role })).sort(byPath),
        sources,
      };
    },
  };
}

const FILES = "SELECT path, role FROM memory_files WHERE memory_id = ?";
const READINGS = `SELECT a.name, l.accessed_at AS at FROM memory_access_log l LEFT JOIN members a ON a.id = l.member_id
  WHERE l.memory_id = ? ORDER BY l.accessed_at DESC, a.name LIMIT ?`;

const sqlOf = statements((d) => ({
  isOpen: `SELECT 1 FROM memories m WHERE m.id = ? AND ${d.isOneOf("m.space")}`,
  authors: `SELECT id, name FROM members WHERE ${d.isOneOf("id")}`,
  projects: `SELECT id, key AS name FROM projects WHERE ${d.isOneOf("id")}`,
  links: `SELECT l.from_id, l.to_id, l.type, l.note, l.origin, a.name AS author, l.created_at
    FROM (SELECT * FROM memory_links WHERE ${d.isOneOf("from_id")} UNION SELECT * FROM memory_links WHERE ${d.isOneOf("to_id")}) l
      JOIN members a ON a.id = l.author_id
      JOIN memories m ON m.id = l.from_id AND ${d.isOneOf("m.space")}
      JOIN memories t ON t.id = l.to_id AND ${d.isOneOf("t.space")}
    ORDER BY l.created_at DESC, l.from_id DESC, l.to_id DESC, l.type`,
}));

async function namesOf(reader: Reading, sql: string, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  if (ids.size === 0) return new Map();
  const rows = await reader.all<{ id: number; name: string }>(sql, [...ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

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
  const rows = await reader.all<LinkRow>(sqlOf(reader.dialect).links, ids, ids, open, open);
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

const byPath = (a: MemoryParts["files"][number], b: MemoryParts["files"][number]): number =>
  a.path === b.path ? (a.role < b.role ? -1 : 1) : a.path < b.path ? -1 : 1;
