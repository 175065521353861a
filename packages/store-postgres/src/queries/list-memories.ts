import type { Browse, BrowseOrder, Filter, Memory, Overview, Space } from "@chest/core";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toDate, toMemory } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { condition, inSpaces } from "../search/condition.ts";

const DAY_S = 86_400;
const FROM = "FROM memories m JOIN entities e ON e.id = m.entity_id";
const IN_PLACE = inSpaces([]).sql;

/** The heat of `core/lifecycle`, in SQL. What was never opened is not looked up. */
const HEAT = `greatest(0, least(100, CASE WHEN m.access_count = 0 THEN 0 ELSE (
    SELECT least(3 * count(*) FILTER (WHERE a.accessed_at > clock.now - 30 * 86400), 30)
      + least(count(*) FILTER (WHERE a.accessed_at > clock.now - 90 * 86400), 20)
    FROM memory_access_log a WHERE a.memory_id = m.id) END
  + CASE WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 7 * 86400 THEN 20
         WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 30 * 86400 THEN 10
         WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 90 * 86400 THEN 0 ELSE -10 END
  + least(0.5::float8 * m.access_count, 15) + 15 * m.importance))`;

const ORDERS: Readonly<Record<Browse["order"], string>> = {
  newest: "m.created_at DESC, m.id DESC",
  used: "m.last_accessed_at DESC NULLS LAST, m.id DESC",
  important: "m.importance DESC, m.created_at DESC, m.id DESC",
  archived: "m.archived_at DESC NULLS LAST, m.id DESC",
  hot: `${HEAT} DESC, m.created_at DESC, m.id DESC`,
};

/** Columns of the orders in which a page can begin after a place. */
const PLACES: Readonly<Partial<Record<BrowseOrder, string>>> = {
  newest: "m.created_at, m.id",
  important: "m.importance, m.created_at, m.id",
  archived: "m.archived_at, m.id",
};

/** A page of what passes a filter, in one of the orders that a list can have. */
export async function browse(
  connection: Reading,
  { order, usedWithinDays, after, limit, offset }: Omit<Browse, "where">,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  nowS: number,
): Promise<{ readonly total: number; readonly memories: readonly Memory[] }> {
  const { sql, values } = condition(where, spaces);
  const used = usedWithinDays === undefined ? "" : " AND m.last_accessed_at >= ?";
  const since = usedWithinDays === undefined ? [] : [nowS - usedWithinDays * DAY_S];
  const columns = after && PLACES[order];
  const later = columns ? ` AND (${columns}) < (${after.map(() => "?").join(", ")})` : "";
  // Sorted by id alone: whole rows are fetched for the page only.
  const [total, rows] = await Promise.all([
    connection.get<{ n: number }>(`SELECT count(*) AS n FROM memories m WHERE ${sql}${used}`, ...values, ...since),
    connection.all<MemoryRow>(
      `WITH clock (now) AS (SELECT ?::bigint), page AS (
         SELECT m.id, row_number() OVER (ORDER BY ${ORDERS[order]}) AS nth FROM clock CROSS JOIN memories m
         WHERE ${sql}${used}${later} ORDER BY nth LIMIT ? OFFSET ?)
       SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} JOIN page ON page.id = m.id ORDER BY page.nth`,
      nowS,
      ...values,
      ...since,
      ...(columns ? after : []),
      limit,
      offset,
    ),
  ]);
  return { total: total?.n ?? 0, memories: rows.map(toMemory) };
}

type Layers = Overview["layers"][number];

/** Sums up the live memories in some spaces. */
export async function overview(connection: Reading, spaces: readonly Space[]): Promise<Overview> {
  const LIVE = `WHERE ${IN_PLACE} AND m.archived_at IS NULL`;
  const CHANGED = `FROM session_file_edits m WHERE m.operation IN ('edit', 'write') AND ${IN_PLACE}`;
  const [layers, entities, made, edits, topFiles, counted] = await Promise.all([
    connection.all<Layers>(
      `SELECT m.layer, e.kind, count(*) AS memories, count(*) FILTER (WHERE m.importance >= 0.9) AS pinned ${FROM}
       ${LIVE} GROUP BY m.layer, e.kind ORDER BY m.layer, e.kind`,
      spaces,
    ),
    connection.all<Overview["entities"][number]>(
      `SELECT e.kind, count(DISTINCT e.normalised_name) AS entities ${FROM} ${LIVE} GROUP BY e.kind ORDER BY e.kind`,
      spaces,
    ),
    connection.get<{ oldest: number | null; newest: number | null }>(
      `SELECT min(m.created_at) AS oldest, max(m.created_at) AS newest FROM memories m ${LIVE}`,
      spaces,
    ),
    connection.get<Overview["edits"]>(
      `SELECT count(*) AS edits, count(DISTINCT m.path_key) AS files,
         count(DISTINCT (m.member_id, m.session_id)) AS sessions ${CHANGED}`,
      spaces,
    ),
    connection.all<Overview["topFiles"][number]>(
      `SELECT max(m.file_path) AS path, count(*) AS edits ${CHANGED} GROUP BY m.path_key ORDER BY edits DESC, path LIMIT 10`,
      spaces,
    ),
    connection.get<{ sessions: number; consolidations: number }>(
      `WITH live AS (SELECT m.id, m.author_id, m.session_id FROM memories m ${LIVE})
       SELECT (SELECT count(*) FROM consolidations WHERE undone_at IS NULL AND summary_id IN (SELECT id FROM live)) AS consolidations,
         (SELECT count(*) FROM (SELECT author_id, session_id FROM live WHERE session_id IS NOT NULL UNION
            SELECT m.member_id, m.session_id FROM session_file_edits m WHERE ${IN_PLACE}) each_one) AS sessions`,
      spaces,
      spaces,
    ),
  ]);
  return {
    topFiles: topFiles.map(({ path, edits: times }) => ({ path, edits: times })),
    sessions: counted?.sessions ?? 0,
    consolidations: counted?.consolidations ?? 0,
    layers: layers.map(({ layer, kind, memories, pinned }) => ({ layer, kind, memories, pinned })),
    entities: entities.map(({ kind, entities: n }) => ({ kind, entities: n })),
    edits: edits ? { ...edits } : { edits: 0, files: 0, sessions: 0 },
    made:
      made && made.oldest !== null && made.newest !== null
        ? { oldest: toDate(made.oldest), newest: toDate(made.newest) }
        : undefined,
  };
}
