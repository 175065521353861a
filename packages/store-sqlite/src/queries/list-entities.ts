import { type EntityQuery, type EntitySummary, LAYERS, type Layer, normaliseName, type Space } from "@chest/core";
import type { Connection, Reading } from "../database/connection.ts";
import { type EntityRow, toDate, toEntity } from "../database/row-mapping.ts";

type ListedEntityRow = EntityRow & {
  readonly n: number;
  readonly pinned: number;
  readonly last_at: number | null;
  readonly total: number;
} & Readonly<Record<Layer, number>>;

const IN_PLACE = "space IN (SELECT value FROM json_each(@spaces))";
const LIVE = `archived_at IS NULL AND ${IN_PLACE}`;

// Each reads one index and no row: a store's rows with their texts do not fit in memory.
const COUNTS = `SELECT entity_id, sum(n) AS n FROM (SELECT entity_id, 1 AS n FROM memories WHERE ${LIVE}
    UNION ALL SELECT entity_id, 0 FROM memories WHERE @least = 0 AND archived_at IS NOT NULL AND ${IN_PLACE})
  GROUP BY entity_id`;
const USES = `SELECT entity_id, max(last_accessed_at) AS last_at FROM memories
  WHERE last_accessed_at IS NOT NULL AND ${LIVE} GROUP BY entity_id`;

/**
 * Entities of one kind and name in several spaces are one to a caller that opens them all; it has the name of the
 * first. An entity that shows no memory is absent.
 */
const SUBJECTS = `SELECT min(e.id) AS id, max(e.momentum_score) AS momentum_score, sum(c.n) AS n, max(u.last_at) AS last_at
  FROM (${COUNTS}) c JOIN entities e ON e.id = c.entity_id LEFT JOIN (${USES}) u ON u.entity_id = c.entity_id
  WHERE @kind IS NULL OR e.kind = @kind
  GROUP BY e.kind, e.normalised_name HAVING sum(c.n) >= @least`;

const ACTIVITY = `10 * momentum_score + 0.5 * min(n, 40)
  + iif(last_at IS NULL, 0, 20 * pow(2, -((@now - last_at) / 86400.0) / 30))`;

// The sums by layer are of the page alone. The plus keeps them on the index of the space.
const LIST = `WITH page AS MATERIALIZED (
    SELECT *, count(*) OVER () AS total, ${ACTIVITY} AS activity FROM (${SUBJECTS})
    ORDER BY activity DESC, id LIMIT @limit OFFSET @offset),
  shown AS MATERIALIZED (
    SELECT page.id AS subject, o.id, o.canonical_key FROM page JOIN entities e ON e.id = page.id
    JOIN entities o ON o.normalised_name = e.normalised_name AND o.kind = e.kind),
  sums AS (
    SELECT entity_id, count(*) FILTER (WHERE importance >= 0.9) AS pinned,
      ${LAYERS.map((layer) => `count(*) FILTER (WHERE layer = '${layer}') AS ${layer}`).join(", ")}
    FROM memories WHERE ${LIVE} AND +entity_id IN (SELECT id FROM shown) GROUP BY entity_id)
  SELECT page.*, e.name, e.kind,
    coalesce(e.canonical_key, min(shown.canonical_key) FILTER (WHERE sums.entity_id IS NOT NULL)) AS canonical_key,
    ${["pinned", ...LAYERS].map((sum) => `coalesce(sum(${sum}), 0) AS ${sum}`).join(", ")}
  FROM page JOIN entities e ON e.id = page.id JOIN shown ON shown.subject = page.id
  LEFT JOIN sums ON sums.entity_id = shown.id
  GROUP BY page.id ORDER BY page.activity DESC, page.id`;

const COUNT = `SELECT count(*) AS total FROM (${SUBJECTS})`;

export interface EntityListing {
  readonly total: number;
  readonly entities: readonly EntitySummary[];
}

/** Entities by recent activity: momentum, how much is known, how lately it was asked for. */
export function listEntities(
  connection: Connection,
  { kind = null, minMemories, limit, offset }: Omit<EntityQuery, "reach" | "kind"> & { readonly kind?: string | null },
  spaces: readonly Space[],
  nowS: number,
): EntityListing {
  const where = { spaces: JSON.stringify(spaces), kind, least: minMemories };
  const rows = connection.all<ListedEntityRow>(LIST, { ...where, now: nowS, limit, offset });
  // The list counts as it goes; only a page beyond its end has no row that tells.
  const total = rows[0]?.total ?? (offset > 0 ? connection.get<{ total: number }>(COUNT, where)?.total : 0) ?? 0;
  return { total, entities: rows.map(toSummary) };
}

function toSummary(row: ListedEntityRow): EntitySummary {
  const { goal, context, emotion, implementation, realize, learning } = row;
  return {
    ...toEntity(row),
    memoryCount: row.n,
    pinnedCount: row.pinned,
    layers: { goal, context, emotion, implementation, realize, learning },
    lastMemoryAccessAt: row.last_at === null ? undefined : toDate(row.last_at),
  };
}

const NAMED = `SELECT e.id, e.name FROM entities e
  WHERE e.id IN (
      SELECT id FROM entities WHERE normalised_name = ?
      UNION SELECT entity_id FROM entity_aliases WHERE normalised_name = ?)
    AND EXISTS (SELECT 1 FROM memories m
      WHERE m.entity_id = e.id AND m.archived_at IS NULL AND m.space IN (SELECT value FROM json_each(?)))
  ORDER BY e.id`;

/** The entities that have a name, of any kind, and a live memory in some spaces. */
export function entitiesNamed(connection: Reading, name: string, spaces: readonly Space[]) {
  const normal = normaliseName(name) || name.toLowerCase();
  const rows = connection.all<{ id: number; name: string }>(NAMED, normal, normal, JSON.stringify(spaces));
  return rows[0] && { name: rows[0].name, ids: rows.map(({ id }) => id) };
}
