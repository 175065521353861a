import { type EntityQuery, type EntitySummary, type Layer, normaliseName, type Space } from "@chest/core";
import type { Connection, Reading } from "../database/connection.ts";
import { type EntityRow, toDate, toEntity } from "../database/row-mapping.ts";

type ListedEntityRow = EntityRow & {
  readonly n: number;
  readonly pinned: number;
  readonly last_at: number | null;
  readonly total: number;
} & Readonly<Record<Layer, number>>;

/** Sums over an entity's memories in some spaces; an entity that shows no memory is absent. */
const SUMS = `SELECT entity_id,
    count(*) FILTER (WHERE archived_at IS NULL) AS n,
    count(*) FILTER (WHERE archived_at IS NULL AND importance >= 0.9) AS pinned,
    max(last_accessed_at) FILTER (WHERE archived_at IS NULL) AS last_at,
    count(*) FILTER (WHERE archived_at IS NULL AND layer = 'goal') AS goal,
    count(*) FILTER (WHERE archived_at IS NULL AND layer = 'context') AS context,
    count(*) FILTER (WHERE archived_at IS NULL AND layer = 'emotion') AS emotion,
    count(*) FILTER (WHERE archived_at IS NULL AND layer = 'implementation') AS implementation,
    count(*) FILTER (WHERE archived_at IS NULL AND layer = 'realize') AS realize,
    count(*) FILTER (WHERE archived_at IS NULL AND layer = 'learning') AS learning
  FROM memories WHERE space IN (SELECT value FROM json_each(?)) GROUP BY entity_id`;

/**
 * Entities of one kind and name in several spaces are one to a caller that opens them all; it has the name of the
 * first.
 */
const SUBJECTS = `SELECT min(e.id) AS id, max(e.momentum_score) AS momentum_score, min(e.canonical_key) AS any_key,
    sum(s.n) AS n, sum(s.pinned) AS pinned, max(s.last_at) AS last_at, sum(s.goal) AS goal, sum(s.context) AS context,
    sum(s.emotion) AS emotion, sum(s.implementation) AS implementation, sum(s.realize) AS realize, sum(s.learning) AS learning
  FROM (${SUMS}) s JOIN entities e ON e.id = s.entity_id WHERE ? IS NULL OR e.kind = ?
  GROUP BY e.kind, e.normalised_name HAVING sum(s.n) >= ?`;

const LIST = `SELECT s.*, count(*) OVER () AS total, e.name, e.kind, coalesce(e.canonical_key, s.any_key) AS canonical_key
  FROM (${SUBJECTS}) s JOIN entities e ON e.id = s.id
  ORDER BY 10 * s.momentum_score + 0.5 * min(s.n, 40)
      + iif(s.last_at IS NULL, 0, 20 * pow(2, -((? - s.last_at) / 86400.0) / 30)) DESC, s.id
  LIMIT ? OFFSET ?`;

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
  const where = [JSON.stringify(spaces), kind, kind, minMemories] as const;
  const rows = connection.all<ListedEntityRow>(LIST, ...where, nowS, limit, offset);
  // The list counts as it goes; only a page beyond its end has no row that tells.
  const total = rows[0]?.total ?? (offset > 0 ? connection.get<{ total: number }>(COUNT, ...where)?.total : 0) ?? 0;
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
