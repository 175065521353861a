import type { Category, CategorySummary, Filter, Memory, Share, Space, Statistics, TagCount } from "@chest/core";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { condition, inSpaces } from "../search/condition.ts";

type FilterInSpaces = Omit<Filter, "reach">;

/** Page of the tags of what passes, the most frequent first. */
export async function countTags(
  connection: Reading,
  where: FilterInSpaces,
  spaces: readonly Space[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; tags: TagCount[] }> {
  const { sql, values } = condition(where, spaces);
  const OF = `FROM memories m JOIN memory_tags t ON t.memory_id = m.id WHERE ${sql}`;
  const [counted, rows] = await Promise.all([
    connection.get<{ n: number }>(`SELECT count(DISTINCT t.tag) AS n ${OF}`, ...values),
    connection.all<TagCount>(
      `SELECT t.tag, count(*) AS count ${OF} GROUP BY t.tag ORDER BY count DESC, t.tag LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    ),
  ]);
  return { total: counted?.n ?? 0, tags: rows.map(({ tag, count }) => ({ tag, count })) };
}

interface CategoryRow {
  readonly category: Category | null;
  readonly total: number;
  readonly best: readonly number[];
}

/** Every category with its rows counted, its tags and the best of them. */
export async function sumCategories(
  connection: Reading,
  where: FilterInSpaces,
  spaces: readonly Space[],
  { tags, sample }: { readonly tags: number; readonly sample: number },
): Promise<CategorySummary[]> {
  const { sql, values } = condition(where, spaces);
  const [sums, counts] = await Promise.all([
    connection.all<CategoryRow>(
      `SELECT m.category, count(*) AS total,
         coalesce((array_agg(m.id ORDER BY m.importance DESC, m.confidence DESC, m.created_at DESC, m.id DESC))[1:?], '{}') AS best
       FROM memories m WHERE ${sql} GROUP BY m.category`,
      sample,
      ...values,
    ),
    connection.all<TagCount & { category: Category | null }>(
      `SELECT category, tag, count FROM (
         SELECT m.category, t.tag, count(*) AS count,
           row_number() OVER (PARTITION BY m.category ORDER BY count(*) DESC, t.tag) AS nth
         FROM memories m JOIN memory_tags t ON t.memory_id = m.id WHERE ${sql} GROUP BY m.category, t.tag) counted
       WHERE nth <= ? ORDER BY category, nth`,
      ...values,
      tags,
    ),
  ]);
  const memories = await memoriesOf(
    connection,
    sums.flatMap(({ best }) => best),
  );
  return sums
    .map(({ category, total, best }) => ({
      category: category ?? undefined,
      total,
      tags: counts.filter((each) => each.category === category).map(({ tag, count }) => ({ tag, count })),
      sample: best.flatMap((id) => memories.get(id) ?? []),
    }))
    .sort((a, b) => b.total - a.total || ((a.category ?? "") < (b.category ?? "") ? -1 : 1));
}

async function memoriesOf(connection: Reading, ids: readonly number[]): Promise<ReadonlyMap<number, Memory>> {
  const rows = await connection.all<MemoryRow>(
    `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} WHERE m.id = ANY (?)`,
    ids,
  );
  return new Map(rows.map((row) => [row.id, toMemory(row)]));
}

const IN_PLACE = inSpaces([]).sql;

// Names are looked up for the few groups that come of one walk over the rows in sight.
const SHARES = `SELECT s.*, a.name AS author, p.key AS project FROM (
    SELECT m.layer, m.category, m.author_id, m.project_id, count(*) AS memories,
      count(*) FILTER (WHERE m.importance >= 0.9) AS pinned, count(m.title) AS titled,
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM memory_tags WHERE memory_id = m.id)) AS tagged,
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = m.id)) AS sourced,
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = m.id AND status IN ('stale', 'missing'))) AS stale,
      count(m.last_verified_at) AS verified, count(*) FILTER (WHERE m.injected_count > 0) AS shown,
      count(*) FILTER (WHERE m.useful_count > 0) AS useful, sum(octet_length(m.content)) AS bytes
    FROM memories m WHERE ${IN_PLACE} AND m.archived_at IS NULL
    GROUP BY m.layer, m.category, m.author_id, m.project_id) s
  JOIN members a ON a.id = s.author_id 
    LEFT JOIN projects p ON p.id = s.project_id AND 'p' || p.id = ANY (?)`;

const OUT_OF_SIGHT = `SELECT count(*) FILTER (WHERE m.superseded_by_id IS NULL) AS archived,
    count(*) FILTER (WHERE m.superseded_by_id IS NOT NULL) AS superseded
  FROM memories m WHERE ${IN_PLACE} AND m.archived_at IS NOT NULL`;

type ShareRow = Omit<Share, "category" | "project"> & {
  readonly category: Category | null;
  readonly author_id: number;
  readonly project_id: number | null;
  readonly project: string | null;
};

/** Sums by layer, category, author and project; what lies in `spaces` from a project that is not `open` counts without it. */
export async function sumShares(
  connection: Reading,
  spaces: readonly Space[],
  open: readonly Space[],
): Promise<Statistics> {
  const [rows, out] = await Promise.all([
    connection.all<ShareRow>(SHARES, spaces, open),
    connection.get<{ archived: number; superseded: number }>(OUT_OF_SIGHT, spaces),
  ]);
  const shares = rows.map(({ author_id: _, project_id: __, ...share }) => ({
    ...share,
    category: share.category ?? undefined,
    project: share.project ?? undefined,
  }));
  return { shares, archived: out?.archived ?? 0, superseded: out?.superseded ?? 0 };
}
