import type { EmbeddingIdentity, Filter, Hit, Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { findIdentity } from "../embedding/identities.ts";
import { textOfVector } from "../embedding/vector-writes.ts";
import { condition, inSpaces } from "./condition.ts";

/**
 * Rows of one identity by cosine to a normalised vector, every one of them compared; undefined when none of it is stored in
 * these spaces.
 */
export async function matchVector(
  connection: Reading,
  vector: Float32Array,
  identity: EmbeddingIdentity,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Promise<readonly Hit[] | undefined> {
  const identityId = await findIdentity(connection, identity);
  if (identityId === undefined) return undefined;
  const { sql, values } = condition(where, spaces);
  const rows = await connection.all<{ id: number; distance: number }>(
    `SELECT m.id, v.vector <=> ?::halfvec AS distance
     FROM memories m JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
     WHERE ${sql} ORDER BY distance, m.id LIMIT ?`,
    textOfVector(vector),
    identityId,
    ...values,
    limit,
  );
  if (rows.length === 0 && !(await isStoredIn(connection, identityId, spaces))) return undefined;
  return rows.map(({ id, distance }, at) => ({ id, rank: at + 1, score: 1 - distance }));
}

/** Others' vectors are none: whether they have any is not told. */
async function isStoredIn(connection: Reading, identityId: number, spaces: readonly Space[]): Promise<boolean> {
  const place = inSpaces(spaces);
  const sql = `SELECT 1 FROM memories m WHERE ${place.sql}
    AND EXISTS (SELECT 1 FROM vectors v WHERE v.memory_id = m.id AND v.identity_id = ?) LIMIT 1`;
  return (await connection.get(sql, ...place.values, identityId)) !== undefined;
}
