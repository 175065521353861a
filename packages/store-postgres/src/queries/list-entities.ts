import { type EntityQuery, type EntitySummary, type Layer, normaliseName, type Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { type EntityRow, toDateIfAny, toEntity } from "../database/rows.ts";
import { inSpaces } from "../search/condition.ts";

type ListedEntityRow = EntityRow & {
  readonly n: number;
  readonly pinned: number;
  readonly last_at: number | null;
} & Readonly<Record<Layer, number>>;

const IN_PLACE = inSpaces([]).sql;

/** Sums over an entity's memories in some spaces; an entity that shows no memory is absent. */
const SUMS = `SELECT m.entity_id,
    count(*) FILTER (WHERE m.archived_at IS NULL) AS n,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.importance >= 0.9) AS pinned,
    max(m.last_accessed_at) FILTER (WHERE m.archived_at IS NULL) AS last_at,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.layer = 'goal') AS goal,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.layer = 'context') AS context,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.layer = 'emotion') AS emotion,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.layer = 'implementation') AS implementation,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.layer = 'realize') AS realize,
    count(*) FILTER (WHERE m.archived_at IS NULL AND m.layer = 'learning') AS learning
  FROM memories m WHERE ${IN_PLACE} GROUP BY m.entity_id`;

/**
 * Entities of one kind and name in several spaces are one to a caller that opens them all; it has the name of the
 * first.
 */
const SUBJECTS = `SELECT min(e.id) AS id, max(e.momentum_score) AS momentum_score, min(e.canonical_key) AS any_key,
    sum(s.n) AS n, sum(s.pinned) AS pinned, max(s.last_at) AS last_at, sum(s.goal) AS goal, sum(s.context) AS context,
    sum(s.emotion) AS emotion, sum(s.implementation) AS implementation, sum(s.realize) AS realize, sum(s.learning) AS learning
  FROM (${SUMS}) s JOIN entities e ON e.id = s.entity_id WHERE ?::text IS NULL OR e.kind = ?
  GROUP BY e.kind, e.normalised_name HAVING sum(s.n) >= ?`;

const LIST = `SELECT s.*, e.name, e.kind, coalesce(e.canonical_key, s.any_key) AS canonical_key
  FROM (${SUBJECTS}) s JOIN entities e ON e.id = s.id
  ORDER BY 10 * s.momentum_score + 0.5::float8 * least(s.n, 40)
      + CASE WHEN s.last_at IS NULL THEN 0 ELSE 20 * power(2::float8, -((? - s.last_at) / 86400.0::float8) / 30) END DESC, s.id
  LIMIT ? OFFSET ?`;

const COUNT = `SELECT count(*) AS total FROM (${SUBJECTS}) each_one`;

/** Entities by recent activity: momentum, how much is known, how lately it was asked for. */
export async function listEntities(
  connection: Reading,
  { kind = undefined, minMemories, limit, offset }: Omit<EntityQuery, "reach">,
  spaces: readonly Space[],
  nowS: number,
): Promise<{ readonly total: number; readonly entities: readonly EntitySummary[] }> {
  const where = [spaces, kind ?? null, kind ?? null, minMemories] as const;
  const [rows, counted] = await Promise.all([
    connection.all<ListedEntityRow>(LIST, ...where, nowS, limit, offset),
    connection.get<{ total: number }>(COUNT, ...where),
  ]);
  return { total: counted?.total ?? 0, entities: rows.map(toSummary) };
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

const NAMED = `SELECT e.id, e.name FROM entities e
  WHERE e.id IN (
      SELECT id FROM entities WHERE normalised_name = ?
      UNION SELECT entity_id FROM entity_aliases WHERE normalised_name = ?)
    AND EXISTS (SELECT 1 FROM memories m WHERE m.entity_id = e.id AND m.archived_at IS NULL AND ${IN_PLACE})
  ORDER BY e.id`;

/** The entities that have a name, of any kind, and a live memory in some spaces. */
export async function entitiesNamed(connection: Reading, name: string, spaces: readonly Space[]) {
  const normal = normaliseName(name) || name.toLowerCase();
  const rows = await connection.all<{ id: number; name: string }>(NAMED, normal, normal, spaces);
  return rows[0] && { name: rows[0].name, ids: rows.map(({ id }) => id) };
}
