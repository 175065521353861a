import type { Space } from "@chest/core/access";
import { dot } from "@chest/core/embedding";
import type { EmbeddingIdentity, Hit } from "@chest/core/ports";
import type { Connection } from "../database/connection.ts";
import { type Condition, condition, type DatedFilter, hasExpired } from "../word-search/filter-sql.ts";
import { columns } from "../word-search/typed-columns.ts";
import { floatsOf } from "./bits.ts";
import type { Nearest } from "./nearest.ts";
import type { Selection } from "./selection.ts";
import type { VectorIndex } from "./vector-index.ts";

/** Most memories to compare without the index; more would exceed the time of an answer. */
const ONE_BY_ONE = 5000;
// Additional candidates, because bits rank only roughly, and more so among many vectors. The benchmark measures the
// loss.
const SPARE = 50;
const AT_LEAST = 250;
const ROWS_PER_SPARE = 2000;
const DEEPER = 4;
/** Number of best results to compare exactly, if coarse vectors are known. */
const EXACT = 16;
/** Additional results, to replace those that changed a moment ago. */
const DOUBTFUL = 8;

export interface VectorSearch {
  readonly connection: Connection;
  /** Undefined if this thread has no share of it. */
  readonly index: VectorIndex | undefined;
}

/** Results in columns, nearest first: objects take three times as long between threads. */
export interface VectorHits {
  readonly ids: Float64Array;
  readonly scores: Float64Array;
}

export function packed(hits: readonly Hit[]): VectorHits {
  const [ids, scores] = columns(2, hits.length);
  for (const [at, { id, score }] of hits.entries()) {
    ids[at] = id;
    scores[at] = score;
  }
  return { ids, scores };
}

export function unpacked({ ids, scores }: VectorHits): Hit[] {
  const hits: Hit[] = [];
  for (let at = 0; at < ids.length; at++)
    hits.push({ id: ids[at] as number, score: scores[at] as number, rank: at + 1 });
  return hits;
}

/**
 * Rows of one identity by cosine to a normalised vector; undefined if these spaces have none, or while too many must
 * still be read.
 */
export function matchVector(
  { connection, index }: VectorSearch,
  query: Float32Array,
  { model, revision, dimensions, pooling }: EmbeddingIdentity,
  where: DatedFilter,
  spaces: readonly Space[],
  limit: number,
): Hit[] | undefined {
  const identity = connection.get<{ id: number }>(
    `SELECT id FROM embedding_identities i WHERE model = ? AND revision = ? AND dimensions = ? AND pooling = ?
       AND EXISTS (SELECT 1 FROM vectors v WHERE v.identity_id = i.id)`,
    model,
    revision,
    dimensions,
    pooling,
  );
  if (!identity) return undefined;
  const hits = nearestOf({ connection, index }, identity.id, query, where, spaces, limit);
  return hits?.length === 0 && !isStoredIn(connection, identity.id, spaces) ? undefined : hits;
}

/** Whether these spaces have a vector of the identity. Vectors in other spaces must not change the answer. */
const isStoredIn = (connection: Connection, identityId: number, spaces: readonly Space[]): boolean =>
  connection.get(
    `SELECT 1 FROM memories m WHERE m.space IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM vectors v WHERE v.memory_id = m.id AND v.identity_id = ?) LIMIT 1`,
    JSON.stringify(spaces),
    identityId,
  ) !== undefined;

function nearestOf(
  { connection, index }: VectorSearch,
  identityId: number,
  query: Float32Array,
  where: DatedFilter,
  spaces: readonly Space[],
  limit: number,
): Hit[] | undefined {
  const passing = condition(where, spaces);
  const selection = selectionOf(connection, where, spaces);
  // The index does not contain rules, categories and expiry. Most rows match, so checking the near ones costs less than
  // listing all matches.
  const isByRule =
    where.withoutRules !== undefined || where.withoutCategory !== undefined || hasExpired(connection, where);
  let most = isByRule ? Number.POSITIVE_INFINITY : limit + DOUBTFUL;
  for (let least = Math.max(limit + SPARE, AT_LEAST); ; least *= DEEPER, most = Math.max(most, least)) {
    const depth = (rows: number) => least + Math.floor(rows / ROWS_PER_SPARE);
    const nearest = index?.nearest(identityId, query, selection, depth);
    if (!nearest) return oneByOne(connection, identityId, query, passing, limit);
    const found = hitsOf(connection, identityId, query, passing, nearest, most);
    const hits = isByRule ? within(connection, passing, found) : found;
    if (hits.length >= limit || nearest.isAll) return best(hits, limit);
  }
}

/** Converts a filter to the index's columns: names become ids. */
function selectionOf(connection: Connection, where: DatedFilter, spaces: readonly Space[]): Selection {
  return {
    spaces,
    where,
    entityIds: entitiesOf(connection, where),
    memoryIds: idsOf(connection, where, spaces),
  };
}

function entitiesOf(
  connection: Connection,
  { entityIds, entityName, aboutProject }: DatedFilter,
): ReadonlySet<number> | undefined {
  if (entityIds === undefined && entityName === undefined && aboutProject === undefined) return undefined;
  return new Set(
    connection.ids(
      `SELECT id FROM entities WHERE (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
         AND (:name IS NULL OR instr(folded_name, :name) > 0)
         AND (:project IS NULL OR kind <> 'project' OR folded_name = :project)`,
      {
        ids: entityIds === undefined ? null : JSON.stringify(entityIds),
        name: entityName?.toLowerCase() ?? null,
        project: aboutProject?.toLowerCase() ?? null,
      },
    ),
  );
}

/** The index does not contain dates, importance and projects: their rows are selected by SQL. */
function idsOf(connection: Connection, where: DatedFilter, spaces: readonly Space[]): ReadonlySet<number> | undefined {
  const { session, since, until, minImportance, fromProject, tags = [] } = where;
  if ([session, since, until, minImportance, fromProject].every((query) => query === undefined))
    return taggedWith(connection, tags);
  const { sql, values } = condition(where, spaces);
  return new Set(connection.ids(`SELECT m.id FROM memories m WHERE ${sql}`, ...values));
}

function taggedWith(connection: Connection, tags: readonly string[]): ReadonlySet<number> | undefined {
  if (tags.length === 0) return undefined;
  const asked = new Set(tags);
  return new Set(
    connection.ids(
      `SELECT memory_id FROM memory_tags WHERE tag IN (SELECT value FROM json_each(?))
       GROUP BY memory_id HAVING count(*) = ?`,
      JSON.stringify([...asked]),
      asked.size,
    ),
  );
}

interface VectorRow {
  readonly id: number;
  readonly vector: Buffer;
}

const OF_IDENTITY = "v.identity_id = ? AND v.content_hash = m.content_hash";

/** The nearest with exact cosines; those after them, which start no page, with coarse ones. */
function hitsOf(
  connection: Connection,
  identityId: number,
  query: Float32Array,
  passing: Condition,
  { ids, cosines }: Nearest,
  most: number,
): Scored[] {
  if (!cosines) return measured(connection, identityId, query, passing, ids);
  return [
    ...measured(connection, identityId, query, passing, ids.slice(0, EXACT)),
    ...ids.slice(EXACT, most).map((id, at) => ({ id, score: cosines[EXACT + at] as number })),
  ];
}

/** Exact cosines of the candidates that still match. */
function measured(
  connection: Connection,
  identityId: number,
  query: Float32Array,
  { sql, values }: Condition,
  ids: readonly number[],
): Scored[] {
  const rows = connection.all<VectorRow>(
    `SELECT m.id, v.vector FROM json_each(?) c CROSS JOIN vectors v ON v.memory_id = c.value
       CROSS JOIN memories m ON m.id = v.memory_id WHERE ${OF_IDENTITY} AND ${sql}`,
    JSON.stringify(ids),
    identityId,
    ...values,
  );
  return scored(rows, query);
}

function within(connection: Connection, { sql, values }: Condition, hits: readonly Scored[]): Scored[] {
  const ids = JSON.stringify(hits.map(({ id }) => id));
  const rows = `SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) AND ${sql}`;
  const pass = new Set(connection.ids(rows, ids, ...values));
  return hits.filter(({ id }) => pass.has(id));
}

/** Compares every matching row; undefined if there are too many. */
function oneByOne(
  connection: Connection,
  identityId: number,
  query: Float32Array,
  { sql, values }: Condition,
  limit: number,
): Hit[] | undefined {
  const from = `FROM memories m CROSS JOIN vectors v ON v.memory_id = m.id WHERE ${sql} AND ${OF_IDENTITY}`;
  const count = connection.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM memories m WHERE ${sql} LIMIT ?)`,
    ...values,
    ONE_BY_ONE + 1,
  );
  if ((count?.n ?? 0) > ONE_BY_ONE) return undefined;
  return best(scored(connection.all<VectorRow>(`SELECT m.id, v.vector ${from}`, ...values, identityId), query), limit);
}

type Scored = Pick<Hit, "id" | "score">;

function scored(rows: readonly VectorRow[], query: Float32Array): Scored[] {
  return rows
    .map(({ id, vector }) => ({ id, score: dot(query, floatsOf(vector)) }))
    .filter(({ score }) => Number.isFinite(score)); // A damaged vector is no match of anything.
}

const best = (hits: readonly Scored[], limit: number): Hit[] =>
  hits
    .toSorted((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
