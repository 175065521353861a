import { identityParts } from "@chest/core/embedding";
import type { Claim, EmbeddingIdentity } from "@chest/core/ports";
import { toSeconds } from "@chest/store/database/rows";
import { identityId, readIdentities } from "@chest/store/embedding/identities";
import { lackingSql, type PendingAsk } from "@chest/store/embedding/lacking";
import type { VectorParts } from "@chest/store/embedding/vector-writes";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { inSpaces } from "../search/condition.ts";
import { textOfVector } from "../search/match-vector.ts";
import type { Transaction } from "../writing/transaction.ts";

/** Condition that `i` is the active identity. */
const IS_ACTIVE = `(i.model, i.revision, i.dimensions, i.pooling) =
  (SELECT parts ->> 0, parts ->> 1, (parts ->> 2)::int, parts ->> 3
   FROM (SELECT value::json AS parts FROM meta WHERE key = 'active_identity') a)`;

// One round trip, because many vectors arrive together. Only a vector of the active identity ends the pending state.
const PUT = `WITH i (model, revision, dimensions, pooling) AS (VALUES (?, ?, ?::int, ?)),
  known AS (SELECT e.id FROM embedding_identities e JOIN i USING (model, revision, dimensions, pooling)),
  made AS (
    INSERT INTO embedding_identities (model, revision, dimensions, pooling)
      SELECT model, revision, dimensions, pooling FROM i WHERE NOT EXISTS (SELECT 1 FROM known)
    ON CONFLICT (model, revision, dimensions, pooling) DO UPDATE SET model = excluded.model RETURNING id),
  given (identity_id, memory_id, vector, content_hash, made_by, member_id, created_at) AS (
    SELECT n.id, ?::bigint, ?::halfvec, ?, ?, ?::bigint, ?::bigint
    FROM (SELECT id FROM known UNION ALL SELECT id FROM made) n),
  unclaimed AS (
    DELETE FROM embedding_claims c USING given g WHERE c.memory_id = g.memory_id AND c.identity_id = g.identity_id),
  settled AS (
    UPDATE memories m SET embedding_status = 'ok' FROM given g
    WHERE m.id = g.memory_id AND m.content_hash = g.content_hash AND EXISTS (SELECT 1 FROM i WHERE ${IS_ACTIVE}))
  INSERT INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at)
    SELECT memory_id, identity_id, vector, content_hash, made_by, member_id, created_at FROM given
  ON CONFLICT (memory_id, identity_id) DO UPDATE SET (vector, content_hash, made_by, member_id, created_at) =
    (excluded.vector, excluded.content_hash, excluded.made_by, excluded.member_id, excluded.created_at)
    WHERE vectors.content_hash <> excluded.content_hash`;

/** This engine's writes of vectors. */
export const vectorParts = (tx: Transaction): VectorParts => ({
  async put({ id, contentHash }, identity, vector) {
    const { connection, caller, nowS, client } = tx;
    const parts = identityParts(identity);
    connection.later(PUT, ...parts, id, textOfVector(vector), contentHash, client, caller.member.id, nowS);
  },
  claim: (identity, claim) => claimPending(tx, identity, claim),
});

// Expired claims are ignored, and the next claim removes them.
const SWEEP = `DELETE FROM embedding_claims WHERE (memory_id, identity_id) IN
  (SELECT memory_id, identity_id FROM embedding_claims WHERE until <= ? FOR UPDATE SKIP LOCKED)`;

/** Claims the next rows above a cursor. Two concurrent claimants skip each other's rows. */
async function claimPending(
  { connection, nowS, spacesIn }: Transaction,
  identity: EmbeddingIdentity,
  { claimant, cursor, limit, until, writtenBefore }: Claim,
): Promise<number[]> {
  connection.later(SWEEP, nowS);
  const [made, { active }, spaces] = await Promise.all([
    identityId(connection, identity),
    readIdentities(connection),
    spacesIn("everywhere"),
  ]);
  const place = inSpaces(spaces);
  const lacking = lackingSql(POSTGRES, { identity, active });
  const ids = await connection.ids(
    `WITH free AS (
       SELECT m.id FROM memories m WHERE ${place.sql} AND ${lacking.sql} AND m.id > ?
         AND greatest(m.created_at, coalesce(m.edited_at, 0)) <= ?
         AND NOT EXISTS (SELECT 1 FROM embedding_claims c WHERE c.memory_id = m.id AND c.identity_id = ? AND c.until > ?)
       ORDER BY m.id LIMIT ? FOR NO KEY UPDATE OF m SKIP LOCKED)
     INSERT INTO embedding_claims (memory_id, identity_id, claimant, until) SELECT id, ?::bigint, ?, ?::bigint FROM free
     ON CONFLICT DO NOTHING RETURNING memory_id`,
    ...place.values,
    ...lacking.values,
    cursor,
    toSeconds(writtenBefore),
    made,
    nowS,
    limit,
    made,
    claimant,
    Math.ceil(until.getTime() / 1000),
  );
  return ids.sort((a, b) => a - b);
}

/** Ids of the next rows above a cursor. */
export function nextPending(
  connection: Reading,
  { lacking, cursor, limit, spaces }: PendingAsk,
): Promise<readonly number[]> {
  const place = inSpaces(spaces);
  const { sql, values } = lackingSql(POSTGRES, lacking);
  return connection.ids(
    `SELECT m.id FROM memories m WHERE ${place.sql} AND ${sql} AND m.id > ? ORDER BY m.id LIMIT ?`,
    ...place.values,
    ...values,
    cursor,
    limit,
  );
}
