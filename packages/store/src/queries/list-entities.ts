import type { Space } from "@chest/core/access";
import { LAYERS, type Layer, normaliseName } from "@chest/core/memory";
import type { EntityQuery, EntitySummary } from "@chest/core/ports";
import { isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { type EntityRow, toDateIfAny, toEntity } from "../database/rows.ts";

type ListedEntityRow = EntityRow & {
  readonly n: number;
  readonly pinned: number;
  readonly last_at: number | null;
  readonly total: number;
} & Readonly<Record<Layer, number>>;

const sqlOf = statements((d) => {
  const live = `m.archived_at IS NULL AND ${d.isOneOf("m.space")} AND ${isUnexpired("m")}`;
  // Each part reads one covering index, because rows with their texts do not fit in the cache.
  const counts = `SELECT entity_id, sum(n) AS n FROM (SELECT m.entity_id, 1 AS n FROM memories m WHERE ${live}
      UNION ALL SELECT m.entity_id, 0 FROM memories m
        WHERE CAST(? AS bigint) = 0 AND m.archived_at IS NOT NULL AND ${d.isOneOf("m.space")}) each_one
    GROUP BY entity_id`;
  const uses = `SELECT m.entity_id, max(m.last_accessed_at) AS last_at FROM memories m
    WHERE m.last_accessed_at IS NOT NULL AND ${live} GROUP BY m.entity_id`;
  // Entities of the same kind and name in several open spaces are shown as one, with the name of the first. Entities
  // without visible memories are left out.
  const subjects = `SELECT min(e.id) AS id, max(e.momentum_score) AS momentum_score, sum(c.n) AS n, max(u.last_at) AS last_at
    FROM (${counts}) c JOIN entities e ON e.id = c.entity_id LEFT JOIN (${uses}) u ON u.entity_id = c.entity_id
    WHERE CAST(? AS text) IS NULL OR e.kind = ?
    GROUP BY e.kind, e.normalised_name HAVING sum(c.n) >= ?`;
  const activity = `10 * momentum_score + CAST(0.5 AS double precision) * ${d.least("n", "40")}
    + CASE WHEN last_at IS NULL THEN 0
        ELSE 20 * power(CAST(2 AS double precision), -((? - last_at) / CAST(86400 AS double precision)) / 30) END`;
  const columns = ["pinned", ...LAYERS];
  return {
    // Totals by layer are computed for the page only.
    list: `WITH page AS MATERIALIZED (
        SELECT each_one.*, count(*) OVER () AS total, ${activity} AS activity FROM (${subjects}) each_one
        ORDER BY activity DESC, id LIMIT ? OFFSET ?),
      shown AS MATERIALIZED (
        SELECT page.id AS subject, o.id, o.canonical_key FROM page JOIN entities e ON e.id = page.id
        JOIN entities o ON o.normalised_name = e.normalised_name AND o.kind = e.kind),
      sums AS (
        SELECT m.entity_id, count(*) FILTER (WHERE m.importance >= 0.9) AS pinned,
          ${LAYERS.map((layer) => `count(*) FILTER (WHERE m.layer = '${layer}') AS ${layer}`).join(", ")}
        FROM memories m WHERE ${live} AND ${d.unindexed("m.entity_id")} IN (SELECT id FROM shown) GROUP BY m.entity_id)
      SELECT page.*, e.name, e.kind,
        coalesce(e.canonical_key, min(shown.canonical_key) FILTER (WHERE sums.entity_id IS NOT NULL)) AS canonical_key,
        ${columns.map((sum) => `coalesce(sum(${sum}), 0) AS ${sum}`).join(", ")}
      FROM page JOIN entities e ON e.id = page.id JOIN shown ON shown.subject = page.id
      LEFT JOIN sums ON sums.entity_id = shown.id
      GROUP BY page.id, page.momentum_score, page.n, page.last_at, page.total, page.activity, e.name, e.kind, e.canonical_key
      ORDER BY page.activity DESC, page.id`,
    count: `SELECT count(*) AS total FROM (${subjects}) each_one`,
    named: `SELECT e.id, e.name FROM entities e
      WHERE e.id IN (
          SELECT id FROM entities WHERE normalised_name = ?
          UNION SELECT entity_id FROM entity_aliases WHERE normalised_name = ?)
        AND EXISTS (SELECT 1 FROM memories m WHERE m.entity_id = e.id AND ${live})
      ORDER BY e.id`,
  };
});

/** Entities by recent activity: momentum, number of memories, last use. */
export async function listEntities(
  connection: Reading,
  { kind = undefined, minMemories, limit, offset }: Omit<EntityQuery, "reach">,
  spaces: readonly Space[],
  nowS: number,
): Promise<{ readonly total: number; readonly entities: readonly EntitySummary[] }> {
  const sql = sqlOf(connection.dialect);
  const where = [spaces, nowS, minMemories, spaces, spaces, nowS, kind ?? null, kind ?? null, minMemories] as const;
  const rows = await connection.all<ListedEntityRow>(sql.list, nowS, ...where, limit, offset, spaces, nowS);
  // Each row contains the total; only for a page beyond the end is it queried separately.
  const total =
    rows[0]?.total ?? (offset > 0 ? (await connection.get<{ total: number }>(sql.count, ...where))?.total : 0);
  return { total: total ?? 0, entities: rows.map(toSummary) };
}

function toSummary(row: ListedEntityRow): EntitySummary {
  const { goal, context, emotion, implementation, realize, learning } = row;
  return {
    ...toEntity(row),
    memoryCount: row.n,
    pinnedCount: row.pinned,
    layers: { goal, context, emotion, implementation, realize, learning },
    lastMemoryAccessAt: toDateIfAny(row.last_at),
  };
}

/** Entities of any kind with this name and a live memory in some spaces. */
export async function entitiesNamed(connection: Reading, name: string, spaces: readonly Space[], nowS: number) {
  const normal = normaliseName(name) || name.toLowerCase();
  const rows = await connection.all<{ id: number; name: string }>(
    sqlOf(connection.dialect).named,
    normal,
    normal,
    spaces,
    nowS,
  );
  return rows[0] && { name: rows[0].name, ids: rows.map(({ id }) => id) };
}
