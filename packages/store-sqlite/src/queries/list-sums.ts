import type { Category, CategorySummary, Filter, Layer, Memory, Share, Space, Statistics, TagCount } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";
import { condition } from "../word-search/filter-sql.ts";

type FilterInSpaces = Omit<Filter, "reach">;

/** Page of the tags of what passes, the most frequent first. */
export function countTags(
  connection: Connection,
  where: FilterInSpaces,
  spaces: readonly Space[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { total: number; tags: TagCount[] } {
  const { sql, values } = condition(where, spaces);
  const rows = connection.all<TagCount & { total: number }>(
    `SELECT t.tag, count(*) AS count, count(*) OVER () AS total
     FROM memories m JOIN memory_tags t ON t.memory_id = m.id WHERE ${sql}
     GROUP BY t.tag ORDER BY count DESC, t.tag LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  const beyond =
    rows.length === 0 && offset > 0 ? countTags(connection, where, spaces, { limit: 1, offset: 0 }) : undefined;
  return { total: rows[0]?.total ?? beyond?.total ?? 0, tags: rows.map(({ tag, count }) => ({ tag, count })) };
}

interface CategoryRow {
  readonly id: number;
  readonly category: string | null;
}

/** Every category with its rows counted and the best of them, in one walk: windows over all rows cost five times that. */
export function sumCategories(
  connection: Connection,
  where: FilterInSpaces,
  spaces: readonly Space[],
  { tags, sample }: { readonly tags: number; readonly sample: number },
): CategorySummary[] {
  const { sql, values } = condition(where, spaces);
  const sums = new Map<string | null, { total: number; best: number[]; tags: TagCount[] }>();
  const rows = connection.iterate<CategoryRow>(
    `SELECT m.id, m.category FROM memories m WHERE ${sql}
     ORDER BY m.importance DESC, m.confidence DESC, m.created_at DESC, m.id DESC`,
    ...values,
  );
  for (const { id, category } of rows) {
    const sum = sums.get(category) ?? { total: 0, best: [], tags: [] };
    sums.set(category, sum);
    sum.total += 1;
    if (sum.best.length < sample) sum.best.push(id);
  }
  const counts = connection.iterate<TagCount & { category: string | null }>(
    `SELECT m.category, t.tag, count(*) AS count FROM memories m JOIN memory_tags t ON t.memory_id = m.id
     WHERE ${sql} GROUP BY m.category, t.tag ORDER BY count DESC, t.tag`,
    ...values,
  );
  for (const { category, tag, count } of counts) {
    const top = sums.get(category)?.tags;
    if (top && top.length < tags) top.push({ tag, count });
  }
  const memories = memoriesOf(
    connection,
    [...sums.values()].flatMap(({ best }) => best),
  );
  return [...sums]
    .map(([category, { total, best, tags }]) => ({
      category: (category as Category | null) ?? undefined,
      total,
      tags,
      sample: best.flatMap((id) => memories.get(id) ?? []),
    }))
    .sort((a, b) => b.total - a.total || ((a.category ?? "") < (b.category ?? "") ? -1 : 1));
}

function memoriesOf(connection: Connection, ids: readonly number[]): ReadonlyMap<number, Memory> {
  const sql = `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id IN (SELECT value FROM json_each(?))`;
  return new Map(connection.all<MemoryRow>(sql, JSON.stringify(ids)).map((row) => [row.id, toMemory(row)]));
}

// One walk over the rows in sight, with the bytes from the index; names are looked up for the few groups that come of it.
const SHARES = `SELECT s.*, a.name AS author, p.key AS project FROM (
    SELECT m.layer, m.category, m.author_id, m.project_id, count(*) AS memories, sum(m.importance >= 0.9) AS pinned,
      sum(m.title IS NOT NULL) AS titled, sum(EXISTS (SELECT 1 FROM memory_tags WHERE memory_id = m.id)) AS tagged,
      sum(EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = m.id)) AS sourced,
      sum(EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = m.id AND status IN ('stale', 'missing'))) AS stale,
      sum(m.last_verified_at IS NOT NULL) AS verified, sum(m.injected_count > 0) AS shown,
      sum(m.useful_count > 0) AS useful, sum(octet_length(m.content)) AS bytes
    FROM memories m INDEXED BY memories_listed WHERE m.space IN (SELECT value FROM json_each(?)) AND m.archived_at IS NULL
    GROUP BY m.layer, m.category, m.author_id, m.project_id) s
  JOIN members a ON a.id = s.author_id 
    LEFT JOIN projects p ON p.id = s.project_id
      AND 'p' || p.id IN (SELECT value FROM json_each(?))`;

const OUT_OF_SIGHT = `SELECT count(*) FILTER (WHERE superseded_by_id IS NULL) AS archived,
    count(*) FILTER (WHERE superseded_by_id IS NOT NULL) AS superseded
  FROM memories WHERE space IN (SELECT value FROM json_each(?)) AND archived_at IS NOT NULL`;

type ShareRow = Omit<Share, "category" | "project"> & {
  readonly category: string | null;
  readonly author_id: number;
  readonly project_id: number | null;
  readonly project: string | null;
};

/** Sums by layer, category, author and project; what lies in `spaces` from a project that is not `open` counts without it. */
export function sumShares(connection: Connection, spaces: readonly Space[], open: readonly Space[]): Statistics {
  const places = JSON.stringify(spaces);
  const shares = connection
    .all<ShareRow>(SHARES, places, JSON.stringify(open))
    .map(({ author_id: _, project_id: __, ...share }) => ({
      ...share,
      layer: share.layer as Layer,
      category: (share.category as Category | null) ?? undefined,
      project: share.project ?? undefined,
    }));
  const out = connection.get<{ archived: number; superseded: number }>(OUT_OF_SIGHT, places);
  return { shares, archived: out?.archived ?? 0, superseded: out?.superseded ?? 0 };
}
