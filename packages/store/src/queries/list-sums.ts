import type { Space } from "@chest/core/access";
import type { Category, Memory } from "@chest/core/memory";
import type { CategorySummary, Share, Statistics, TagCount } from "@chest/core/ports";
import { condition, type DatedFilter, isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";

/** Page of the tags of matching memories, most frequent first. */
export async function countTags(
  connection: Reading,
  where: DatedFilter,
  spaces: readonly Space[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; tags: TagCount[] }> {
  const { sql, values } = condition(connection.dialect, where, spaces);
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
  /** Ids in order. */
  readonly best: readonly number[] | string;
}

/** Every category with its row count, tags and best rows. */
export async function sumCategories(
  connection: Reading,
  where: DatedFilter,
  spaces: readonly Space[],
  { tags, sample }: { readonly tags: number; readonly sample: number },
): Promise<CategorySummary[]> {
  const { sql, values } = condition(connection.dialect, where, spaces);
  const { dialect } = connection;
  const best = `(SELECT m.id FROM memories m WHERE ${sql} AND m.category IS NOT DISTINCT FROM g.category
    ${BEST_FIRST} LIMIT ?) b`;
  const [sums, counts] = await Promise.all([
    connection.all<CategoryRow>(
      `SELECT g.category, g.total, ${dialect.listOf("b.id", best)} AS best
       FROM (SELECT m.category, count(*) AS total FROM memories m WHERE ${sql} GROUP BY m.category) g`,
      ...values,
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
    sums.flatMap(({ best }) => listIn(best)),
  );
  return sums
    .map(({ category, total }) => ({
      category: category ?? undefined,
      total,
      tags: counts.filter((each) => each.category === category).map(({ tag, count }) => ({ tag, count })),
      sample: memories.filter((memory) => memory.category === (category ?? undefined)),
    }))
    .sort((a, b) => b.total - a.total || ((a.category ?? "") < (b.category ?? "") ? -1 : 1));
}

const BEST_FIRST = "ORDER BY m.importance DESC, m.confidence DESC, m.created_at DESC, m.id DESC";

async function memoriesOf(connection: Reading, ids: readonly number[]): Promise<readonly Memory[]> {
  const { dialect } = connection;
  const sql = `SELECT ${memoryColumns(dialect)} ${MEMORY_FROM} WHERE ${dialect.isOneOf("m.id")} ${BEST_FIRST}`;
  return (await connection.all<MemoryRow>(sql, ids)).map(toMemory);
}

const sqlOf = statements((d) => ({
  // One scan over the visible rows, with sizes from the index; names are looked up for the few resulting groups.
  shares: `SELECT s.*, a.name AS author, p.key AS project FROM (
      SELECT m.layer, m.category, m.author_id, m.project_id, count(*) AS memories,
        count(*) FILTER (WHERE m.importance >= 0.9) AS pinned, count(m.title) AS titled,
        count(*) FILTER (WHERE EXISTS (SELECT 1 FROM memory_tags WHERE memory_id = m.id)) AS tagged,
        count(*) FILTER (WHERE EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = m.id)) AS sourced,
        count(*) FILTER (WHERE EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = m.id AND status IN ('stale', 'missing'))) AS stale,
        count(m.last_verified_at) AS verified, count(*) FILTER (WHERE m.injected_count > 0) AS shown,
        count(*) FILTER (WHERE m.useful_count > 0) AS useful, sum(octet_length(m.content)) AS bytes
      FROM memories m${d.indexedBy("memories_listed")} WHERE ${d.isOneOf("m.space")} AND m.archived_at IS NULL
        AND ${isUnexpired("m")}
      GROUP BY m.layer, m.category, m.author_id, m.project_id) s
    JOIN members a ON a.id = s.author_id
      LEFT JOIN projects p ON p.id = s.project_id AND ${d.isOneOf("'p' || p.id")}`,
  hidden: `SELECT count(*) FILTER (WHERE m.superseded_by_id IS NULL) AS archived,
      count(*) FILTER (WHERE m.superseded_by_id IS NOT NULL) AS superseded
    FROM memories m WHERE ${d.isOneOf("m.space")} AND m.archived_at IS NOT NULL`,
}));

type ShareRow = Omit<Share, "category" | "project"> & {
  readonly category: Category | null;
  readonly author_id: number;
  readonly project_id: number | null;
  readonly project: string | null;
};

/**
 * Totals by layer, category, author and project; rows in `spaces` from a project that is not `open` count without their
 * project.
 */
export async function sumShares(
  connection: Reading,
  spaces: readonly Space[],
  open: readonly Space[],
  nowS: number,
): Promise<Statistics> {
  const [rows, out] = await Promise.all([
    connection.all<ShareRow>(sqlOf(connection.dialect).shares, spaces, nowS, open),
    connection.get<{ archived: number; superseded: number }>(sqlOf(connection.dialect).hidden, spaces),
  ]);
  const shares = rows.map(({ author_id: _, project_id: __, ...share }) => ({
    ...share,
    category: share.category ?? undefined,
    project: share.project ?? undefined,
  }));
  return { shares, archived: out?.archived ?? 0, superseded: out?.superseded ?? 0 };
}
