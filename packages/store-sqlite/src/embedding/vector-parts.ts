import { bytesOf, isSameIdentity } from "@chest/core/embedding";
import type { Claim, EmbeddingIdentity } from "@chest/core/ports";
import { toSeconds } from "@chest/store/database/rows";
import { identityId, readIdentities } from "@chest/store/embedding/identities";
import type { VectorParts } from "@chest/store/embedding/vector-writes";
import type { Transaction } from "../writing/transaction.ts";
import { nextPending } from "./pending-embeddings.ts";

const HAS_ONE = "SELECT 1 FROM vectors WHERE memory_id = ? AND identity_id = ? AND content_hash = ?";
const PUT = `INSERT OR REPLACE INTO vectors (memory_id, identity_id, content_hash, vector, made_by, member_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const FREE = `max(m.created_at, coalesce(m.edited_at, 0)) <= ? AND NOT EXISTS (
  SELECT 1 FROM embedding_claims c WHERE c.memory_id = m.id AND c.identity_id = ? AND c.until > ?)`;

/** This engine's writes of vectors, statement by statement. */
export function vectorParts({ connection, caller, client, nowS, spacesIn }: Transaction): VectorParts {
  return {
    async put({ id, contentHash }, made, vector) {
      const identity = await identityId(connection, made);
      const keys = [id, identity, contentHash] as const;
      if ((await connection.get(HAS_ONE, ...keys)) === undefined)
        connection.later(PUT, ...keys, bytesOf(vector), client, caller.member.id, nowS);
      connection.later("DELETE FROM embedding_claims WHERE memory_id = ? AND identity_id = ?", id, identity);
      if (isSameIdentity(made, (await readIdentities(connection)).active))
        connection.later(
          "UPDATE memories SET embedding_status = 'ok' WHERE id = ? AND content_hash = ?",
          id,
          contentHash,
        );
    },
    async claim(identity: EmbeddingIdentity, { claimant, cursor, limit, until, writtenBefore }: Claim) {
      // Expired claims are ignored, and the next claim removes them.
      connection.later("DELETE FROM embedding_claims WHERE until <= ?", nowS);
      const made = await identityId(connection, identity);
      const lacking = { identity, active: (await readIdentities(connection)).active };
      const free = { sql: FREE, values: [toSeconds(writtenBefore), made, nowS] };
      const asked = { lacking, cursor, limit, spaces: await spacesIn("everywhere") };
      const ids = await nextPending(connection, asked, free);
      const untilS = Math.ceil(until.getTime() / 1000);
      for (const id of ids)
        connection.later(
          "INSERT INTO embedding_claims (memory_id, identity_id, claimant, until) VALUES (?, ?, ?, ?)",
          id,
          made,
          claimant,
          untilS,
        );
      return ids;
    },
  };
}
