import type { Space } from "@chest/core/access";
import { identityParts } from "@chest/core/embedding";
import type { EmbeddingIdentity, Hit } from "@chest/core/ports";
import { findIdentity } from "@chest/store/embedding/identities";
import type { Connections, Reading, SqlValue } from "../database/connection.ts";
import type { Reader } from "../database/row-security.ts";
import { type Condition, condition, type DatedFilter, inSpaces, isNarrow } from "./condition.ts";
import { scopeSizes, type VectorIndexes } from "./vector-indexes.ts";

/** Text form of a vector for PostgreSQL. */
export const textOfVector = (vector: Float32Array): string => `[${vector.join(",")}]`;

interface NearRow {
  readonly id: number;
  readonly distance: number;
}

interface Question {
  readonly vector: string;
  readonly identityId: number;
  readonly dimensions: number;
  readonly where: Condition;
  readonly spaces: readonly Space[];
  readonly limit: number;
}

type MatchVector = (
  reader: Reader,
  vector: Float32Array,
  identity: EmbeddingIdentity,
  where: DatedFilter,
  spaces: readonly Space[],
  limit: number,
) => Promise<readonly Hit[] | undefined>;

/**
 * Finds rows of one identity by cosine to a normalised vector. Small spaces are compared completely, by code first
 * unless a filter is narrow; large ones use an approximate index. Undefined if these spaces have no vector of the
 * identity.
 */
export function vectorSearch(searcher: Connections, indexes: VectorIndexes): MatchVector {
  const isLarge = scopeSizes(searcher, indexes.exactUpTo);
  // Row ids of identities, which never change.
  const known = new Map<string, number>();
  const idOf = async (identity: EmbeddingIdentity) => {
    const name = identityParts(identity).join("\n");
    const id = known.get(name) ?? (await findIdentity(searcher, identity));
    if (id !== undefined) known.set(name, id);
    return id;
  };
  return async (reader, vector, identity, where, spaces, limit) => {
    const identityId = await idOf(identity);
    if (identityId === undefined) return undefined;
    const question: Question = {
      vector: textOfVector(vector),
      identityId,
      dimensions: identity.dimensions,
      where: condition(where, spaces),
      spaces,
      limit,
    };
    const near =
      indexes.has(identityId) && (await isLarge(spaces))
        ? await nearest(reader, question)
        : passesMost(where) && (await nearestByCode(reader, question));
    // With a narrow filter, the nearest rows may have been lost too early.
    const rows = near || (await everyOne(reader, question));
    if (rows.length === 0 && !(await isStoredIn(reader, identityId, spaces))) return undefined;
    return rows.map(({ id, distance }, at) => ({ id, rank: at + 1, score: 1 - distance }));
  };
}

const JOINED = "memories m JOIN vectors v ON v.memory_id = m.id AND v.content_hash = m.content_hash";

const everyOne = (connection: Reading, { vector, identityId, where, limit }: Question): Promise<readonly NearRow[]> =>
  connection.allPlanned<NearRow>(
    `SELECT m.id, v.vector <=> ?::halfvec AS distance FROM ${JOINED} AND v.identity_id = ?
     WHERE ${where.sql} ORDER BY distance, m.id LIMIT ?`,
    vector,
    identityId,
    ...where.values,
    limit,
  );

/** Codes exist for memories that are not archived. Rules and a category exclude only few of those. */
const passesMost = ({ withoutRules: _, withoutCategory: __, ...where }: DatedFilter): boolean =>
  !where.withArchived && !where.withSuperseded && !where.tags?.length && !isNarrow(where);

// Least number of rows to compare exactly. On random vectors, the worst case, this many found all ten nearest of 20,000
// by code, and .990 of them of 5,000.
const LEAST_COMPARED = 600;
const COMPARED_EACH = 3;
// Factor of candidates: a filter may exclude a third without a loss.
const ASKED_EACH = 1.5;

/** Undefined if the filter left too few candidates. */
async function nearestByCode(
  connection: Reading,
  { vector, identityId, where, spaces, limit }: Question,
): Promise<readonly NearRow[] | undefined> {
  const most = Math.max(LEAST_COMPARED, COMPARED_EACH * limit);
  const asked = Math.ceil(ASKED_EACH * limit);
  const rows = await connection.allPlanned<NearRow & { readonly compared: number }>(
    `WITH asked AS MATERIALIZED (SELECT ?::halfvec AS vector),
     near AS MATERIALIZED (
       SELECT c.memory_id FROM coarse_vectors c WHERE c.space = ANY (?) AND c.identity_id = ?
       ORDER BY c.code <~> (SELECT coarse_code(vector) FROM asked), c.memory_id LIMIT ?),
     compared AS MATERIALIZED (
       SELECT v.memory_id, v.content_hash, v.vector <=> (SELECT vector FROM asked) AS distance
       FROM near n JOIN vectors v ON v.memory_id = n.memory_id AND v.identity_id = ?
       ORDER BY distance, v.memory_id LIMIT ?)
     SELECT m.id, v.distance, (SELECT count(*) FROM compared) AS compared
     FROM compared v JOIN memories m ON m.id = v.memory_id AND m.content_hash = v.content_hash
     WHERE ${where.sql} ORDER BY v.distance, m.id LIMIT ?`,
    ...[vector, spaces, identityId, most],
    ...[identityId, asked],
    ...where.values,
    limit,
  );
  const [first] = rows;
  return rows.length === limit || (first && first.compared < asked) ? rows : undefined;
}

// Misses hardly one in ten on a whole store; a filter that passes one row in a hundred still gets fifty.
const SETTINGS = ["hnsw.ef_search = 200", "hnsw.iterative_scan = relaxed_order", "hnsw.max_scan_tuples = 40000"];
// The planner would prefer to sort every row if a filter passes few.
const PLANNING = ["enable_sort = off", "enable_bitmapscan = off", "enable_hashjoin = off", "enable_mergejoin = off"];

/** The identity is a literal, because its partial index is not used with a parameter. */
async function nearest(reader: Reader, { vector, identityId, dimensions, where, limit }: Question) {
  const distance = `v.vector::halfvec(${dimensions}) <=> ?::halfvec(${dimensions})`;
  const values: readonly SqlValue[] = [vector, ...where.values, vector, limit];
  const rows = await reader.transaction(async (tx) => {
    await tx.script([...SETTINGS, ...PLANNING].map((setting) => `SET LOCAL ${setting}`).join("; "));
    return tx.all<NearRow>(
      `WITH near AS MATERIALIZED (
         SELECT m.id, ${distance} AS distance FROM ${JOINED} AND v.identity_id = ${identityId}
         WHERE ${where.sql} ORDER BY ${distance} LIMIT ?)
       SELECT id, distance FROM near ORDER BY distance, id`,
      ...values,
    );
  });
  return rows.length === limit ? rows : undefined;
}

/** Whether these spaces have a vector of the identity. Vectors in other spaces must not change the answer. */
async function isStoredIn(connection: Reading, identityId: number, spaces: readonly Space[]): Promise<boolean> {
  const place = inSpaces(spaces);
  const sql = `SELECT 1 FROM memories m WHERE ${place.sql}
    AND EXISTS (SELECT 1 FROM vectors v WHERE v.memory_id = m.id AND v.identity_id = ?) LIMIT 1`;
  return (await connection.get(sql, ...place.values, identityId)) !== undefined;
}
