import type { EmbeddingIdentity, Filter, Hit, Space } from "@chest/core";
import type { Connection } from "../connection.ts";
import { condition } from "./condition.ts";

/** Rows of one identity by cosine, over the whole store; undefined when it has no vector of it. */
export function matchVector(
  connection: Connection,
  vector: Float32Array,
  { model, revision, dimensions, pooling }: EmbeddingIdentity,
  where: Omit<Filter, "reach">,
  spaces: readonly Space[],
  limit: number,
): Hit[] | undefined {
  const identity = connection.get<{ id: number }>(
    `SELECT id FROM embedding_identities i WHERE model = ? AND revision = ? AND dimensions = ? AND pooling = ?
       AND EXISTS (SELECT 1 FROM vectors v WHERE v.identity_id = i.id)`,
    ...[model, revision, dimensions, pooling],
  );
  if (!identity) return undefined;
  const asked = normalised(vector);
  const { sql, values } = condition(where, spaces);
  const rows = connection.all<{ id: number; vector: Buffer }>(
    `SELECT m.id, v.vector FROM vectors v JOIN memories m ON m.id = v.memory_id
     WHERE v.identity_id = ? AND v.content_hash = m.content_hash AND ${sql}`,
    ...[identity.id, ...values],
  );
  return rows
    .map(({ id, vector }) => ({ id, score: dot(asked, vector) }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
}

export function normalised(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return norm === 0 ? vector : vector.map((x) => x / norm);
}

function dot(a: Float32Array, bytes: Buffer): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * bytes.readFloatLE(4 * i);
  return sum;
}
