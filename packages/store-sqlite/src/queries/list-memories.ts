import type { Browse, BrowseOrder, Filter, Memory, Overview, Space } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toDate, toMemory } from "../database/row-mapping.ts";
import { condition } from "../word-search/filter-sql.ts";

const DAY_S = 86_400;
const FROM = "FROM memories m JOIN entities e ON e.id = m.entity_id";

/** The heat of `core/lifecycle`, in SQL. What was never opened is not looked up. */
const HEAT = `max(0, min(100, CASE WHEN m.access_count = 0 THEN 0 ELSE (
    SELECT min(3 * coalesce(sum(a.accessed_at > clock.now - 30 * 86400), 0), 30) + min(coalesce(sum(a.accessed_at > clock.now - 90 * 86400), 0), 20)
    FROM memory_access_log a WHERE a.memory_id = m.id) END
  + CASE WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 7 * 86400 THEN 20
         WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 30 * 86400 THEN 10
         WHEN clock.now - coalesce(m.last_accessed_at, m.created_at) <= 90 * 86400 THEN 0 ELSE -10 END
  + min(0.5 * m.access_count, 15) + 15 * m.importance))`;

const ORDERS: Readonly<Record<Browse["order"], string>> = {
  newest: "m.created_at DESC, m.id DESC",
  used: "m.last_accessed_at DESC, m.id DESC",
  important: "m.importance DESC, m.created_at DESC, m.id DESC",
  archived: "m.archived_at DESC, m.id DESC",
  hot: `${HEAT} DESC, m.created_at DESC, m.id DESC`,
};

/** Columns of the orders in which a page can begin after a place. */
const PLACES: Readonly<Partial<Record<BrowseOrder, string>>> = {
  newest: "m.created_at, m.id",
  important: "m.importance, m.created_at, m.id",
  archived: "m.archived_at, m.id",
};

export interface Page {
  readonly total: number;
  readonly memories: readonly Memory[];
}

/** A page of what passes a filter, in one of the orders that a list can have. */
export function browse(
  connection: Connection,
  { order, usedWithinDays, after, limit, offset }: Omit<Browse, "where">,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  nowS: number,
): Page {
  const { sql, values } = condition(where, spaces);
  const used = usedWithinDays === undefined ? "" : ` AND m.last_accessed_at >= ?`;
  const since = usedWithinDays === undefined ? [] : [nowS - usedWithinDays * DAY_S];
  const columns = after && PLACES[order];
  const later = columns ? ` AND (${columns}) < (${after.map(() => "?").join(", ")})` : "";
  // Sorted by id alone: whole rows are fetched for the page only. The time is a value, so that the text stays the same.
  const ids = connection.all<{ id: number }>(
    `WITH clock (now) AS (SELECT ?) SELECT m.id FROM clock CROSS JOIN memories m WHERE ${sql}${used}${later} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
    nowS,
    ...values,
    ...since,
    ...(columns ? after : []),
    limit,
    offset,
  );
  const rows = connection.all<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids.map(({ id }) => id)),
  );
  const byId = new Map(rows.map((row) => [row.id, toMemory(row)]));
  const isWhole = !later && offset === 0 && ids.length < limit;
  const total = isWhole
    ? ids.length
    : connection.get<{ n: number }>(`SELECT count(*) AS n FROM memories m WHERE ${sql}${used}`, ...values, ...since)?.n;
  return { total: total ?? 0, memories: ids.flatMap(({ id }) => byId.get(id) ?? []) };
}

interface OverviewRow {
  readonly layer: Overview["layers"][number]["layer"];
  readonly kind: Overview["layers"][number]["kind"];
  readonly memories: number;
  readonly pinned: number;
}

/** Sums up the live memories in some spaces. */
export function overview(connection: Connection, spaces: readonly Space[]): Overview {
  const open = JSON.stringify(spaces);
  const layers = connection.all<OverviewRow>(
    `SELECT m.layer, e.kind, count(*) AS memories, count(*) FILTER (WHERE m.importance >= 0.9) AS pinned ${FROM}
     WHERE m.space IN (SELECT value FROM json_each(?)) AND m.archived_at IS NULL GROUP BY m.layer, e.kind`,
    open,
  );
  const entities = connection.all<{ kind: OverviewRow["kind"]; entities: number }>(
    `SELECT e.kind, count(DISTINCT e.normalised_name) AS entities ${FROM}
     WHERE m.space IN (SELECT value FROM json_each(?)) AND m.archived_at IS NULL GROUP BY e.kind`,
    open,
  );
  const made = connection.get<{ oldest: number | null; newest: number | null }>(
    `SELECT min(m.created_at) AS oldest, max(m.created_at) AS newest FROM memories m
     WHERE m.space IN (SELECT value FROM json_each(?)) AND m.archived_at IS NULL`,
    open,
  );
  const edits = connection.get<Overview["edits"]>(
    `SELECT count(*) AS edits, count(DISTINCT path_key) AS files, count(DISTINCT member_id || ':' || session_id) AS sessions
     FROM session_file_edits WHERE operation IN ('edit', 'write') AND space IN (SELECT value FROM json_each(?))`,
    open,
  );
  const topFiles = connection.all<Overview["topFiles"][number]>(
    `SELECT max(file_path) AS path, count(*) AS edits FROM session_file_edits
     WHERE operation IN ('edit', 'write') AND space IN (SELECT value FROM json_each(?))
     GROUP BY path_key ORDER BY edits DESC, path LIMIT 10`,
    open,
  );
  const counted = connection.get<{ sessions: number; consolidations: number }>(
    // Sessions by their own index, which has the rows in the order of their groups.
    `SELECT (SELECT count(*) FROM consolidations c JOIN memories m ON m.id = c.summary_id
         WHERE c.undone_at IS NULL AND m.archived_at IS NULL AND m.space IN (SELECT value FROM json_each(?))) AS consolidations,
       (SELECT count(*) FROM (
          SELECT author_id, session_id FROM memories
            WHERE session_id IS NOT NULL AND archived_at IS NULL AND +space IN (SELECT value FROM json_each(?))
          UNION SELECT member_id, session_id FROM session_file_edits WHERE space IN (SELECT value FROM json_each(?)))) AS sessions`,
    open,
    open,
    open,
  );
  return {
    topFiles,
    sessions: counted?.sessions ?? 0,
    consolidations: counted?.consolidations ?? 0,
    layers,
    entities,
    edits: edits ?? { edits: 0, files: 0, sessions: 0 },
    made:
      made && made.oldest !== null && made.newest !== null
        ? { oldest: toDate(made.oldest), newest: toDate(made.newest) }
        : undefined,
  };
}
