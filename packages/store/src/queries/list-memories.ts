import type { Space } from "@chest/core/access";
import type { Memory } from "@chest/core/memory";
import type { Browse, BrowseOrder, Overview } from "@chest/core/ports";
import { condition, type DatedFilter, isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { type Dialect, statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toDate, toMemory } from "../database/rows.ts";

const DAY_S = 86_400;
/** The heat of `core/lifecycle` in SQL. Memories that were never opened need no lookup. */
const heatOf = (d: Dialect) =>
  d.greatest(
    "0",
    d.least(
      "100",
      `CASE WHEN m.access_count = 0 THEN 0 ELSE (
        SELECT ${d.least("3 * count(*) FILTER (WHERE a.accessed_at > clock.now - 30 * 86400)", "30")}
          + ${d.least("count(*) FILTER (WHERE a.accessed_at > clock.now - 90 * 86400)", "20")}
        FROM memory_access_log a WHERE a.memory_id = m.id) END
      + CASE WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 7 * 86400 THEN 20
             WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 30 * 86400 THEN 10
             WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 90 * 86400 THEN 0 ELSE -10 END
      + ${d.least("CAST(0.5 AS double precision) * m.access_count", "15")} + 15 * m.importance`,
    ),
  );

const ordersOf = statements(
  (d): Readonly<Record<Browse["order"], string>> => ({
    newest: "m.created_at DESC, m.id DESC",
    oldest: "m.created_at, m.id",
    used: "m.last_accessed_at DESC NULLS LAST, m.id DESC",
    important: "m.importance DESC, m.created_at DESC, m.id DESC",
    archived: "m.archived_at DESC NULLS LAST, m.id DESC",
    hot: `${heatOf(d)} DESC, m.created_at DESC, m.id DESC`,
  }),
);

/** Sort columns of the orders that support paging by position. */
const PLACES: Readonly<Partial<Record<BrowseOrder, string>>> = {
  newest: "m.created_at, m.id",
  oldest: "m.created_at, m.id",
  important: "m.importance, m.created_at, m.id",
  archived: "m.archived_at, m.id",
};

/** A page of the memories that pass a filter, in an order. */
export async function browse(
  connection: Reading,
  { order, usedWithinDays, after, limit, offset }: Omit<Browse, "where">,
  where: DatedFilter,
  spaces: readonly Space[],
): Promise<{ readonly total: number; readonly memories: readonly Memory[] }> {
  const { sql, values } = condition(connection.dialect, where, spaces);
  const used = usedWithinDays === undefined ? "" : " AND m.last_accessed_at >= ?";
  const since = usedWithinDays === undefined ? [] : [where.nowS - usedWithinDays * DAY_S];
  const columns = after && PLACES[order];
  const isBehind = order === "oldest" ? ">" : "<";
  const later = columns ? ` AND (${columns}) ${isBehind} (${after.map(() => "?").join(", ")})` : "";
  const inOrder = `ORDER BY ${ordersOf(connection.dialect)[order]}`;
  // Only ids are sorted; whole rows are fetched for the page. The time is bound, so that the statement can be reused.
  const rows = await connection.all<MemoryRow>(
    `WITH clock (now) AS (SELECT CAST(? AS bigint)), page AS MATERIALIZED (
       SELECT m.id FROM clock CROSS JOIN memories m WHERE ${sql}${used}${later} ${inOrder} LIMIT ? OFFSET ?)
     SELECT ${memoryColumns(connection.dialect)} ${MEMORY_FROM} CROSS JOIN clock WHERE m.id IN (SELECT id FROM page) ${inOrder}`,
    where.nowS,
    ...values,
    ...since,
    ...(columns ? after : []),
    limit,
    offset,
  );
  const memories = rows.map(toMemory);
  if (!later && offset === 0 && rows.length < limit) return { total: rows.length, memories };
  const counted = await connection.get<{ n: number }>(
    `SELECT count(*) AS n FROM memories m WHERE ${sql}${used}`,
    ...values,
    ...since,
  );
  return { total: counted?.n ?? 0, memories };
}

const overviewOf = statements((d) => {
  const from = "FROM memories m JOIN entities e ON e.id = m.entity_id";
  const isVisible = d.isOneOf("m.space");
  const live = `WHERE ${isVisible} AND m.archived_at IS NULL AND ${isUnexpired("m")}`;
  const changed = `FROM session_file_edits m WHERE m.operation IN ('edit', 'write') AND ${isVisible}`;
  return {
    layers: `SELECT m.layer, e.kind, count(*) AS memories, count(*) FILTER (WHERE m.importance >= 0.9) AS pinned ${from}
      ${live} GROUP BY m.layer, e.kind ORDER BY m.layer, e.kind`,
    entities: `SELECT e.kind, count(DISTINCT e.normalised_name) AS entities ${from} ${live} GROUP BY e.kind ORDER BY e.kind`,
    made: `SELECT min(m.created_at) AS oldest, max(m.created_at) AS newest FROM memories m ${live}`,
    edits: `SELECT count(*) AS edits, count(DISTINCT m.path_key) AS files,
        count(DISTINCT m.member_id || ':' || m.session_id) AS sessions ${changed}`,
    topFiles: `SELECT max(m.file_path) AS path, count(*) AS edits ${changed} GROUP BY m.path_key ORDER BY edits DESC, path LIMIT 10`,
    consolidations: `SELECT count(*) AS n FROM consolidations c JOIN memories m ON m.id = c.summary_id
      ${live} AND c.undone_at IS NULL`,
    // Sessions are counted over their own index, which is in group order.
    sessions: `SELECT count(*) AS n FROM (
        SELECT m.author_id, m.session_id FROM memories m
          WHERE m.session_id IS NOT NULL AND m.archived_at IS NULL AND ${d.isOneOf(d.unindexed("m.space"))}
        UNION SELECT m.member_id, m.session_id FROM session_file_edits m WHERE ${isVisible}) each_one`,
  };
});

type Layers = Overview["layers"][number];

/** Totals of the live memories in some spaces. */
export async function overview(connection: Reading, spaces: readonly Space[], nowS: number): Promise<Overview> {
  const sql = overviewOf(connection.dialect);
  const [layers, entities, made, edits, topFiles, consolidations, sessions] = await Promise.all([
    connection.all<Layers>(sql.layers, spaces, nowS),
    connection.all<Overview["entities"][number]>(sql.entities, spaces, nowS),
    connection.get<{ oldest: number | null; newest: number | null }>(sql.made, spaces, nowS),
    connection.get<Overview["edits"]>(sql.edits, spaces),
    connection.all<Overview["topFiles"][number]>(sql.topFiles, spaces),
    connection.get<{ n: number }>(sql.consolidations, spaces, nowS),
    connection.get<{ n: number }>(sql.sessions, spaces, spaces),
  ]);
  return {
    topFiles: topFiles.map(({ path, edits: times }) => ({ path, edits: times })),
    sessions: sessions?.n ?? 0,
    consolidations: consolidations?.n ?? 0,
    layers: layers.map(({ layer, kind, memories, pinned }) => ({ layer, kind, memories, pinned })),
    entities: entities.map(({ kind, entities: n }) => ({ kind, entities: n })),
    edits: edits ? { ...edits } : { edits: 0, files: 0, sessions: 0 },
    createdBetween:
      made && made.oldest !== null && made.newest !== null
        ? { oldest: toDate(made.oldest), newest: toDate(made.newest) }
        : undefined,
  };
}
