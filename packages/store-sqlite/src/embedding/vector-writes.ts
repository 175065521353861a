import { bytesOf, checkedVector, isSameIdentity, type StoredVector, type VectorWrites } from "@chest/core";
import type { Transaction } from "../writing/transaction.ts";
import { claimPending, releaseClaims } from "./embedding-claims.ts";
import { findIdentity, identityId, readIdentities } from "./identities.ts";

const HAS_ONE = "SELECT 1 FROM vectors WHERE memory_id = ? AND identity_id = ? AND content_hash = ?";

/** @param stored what was put in this transaction. */
export function vectorWrites(
  { sync: connection, caller, nowS, client, touch, spacesIn }: Transaction,
  stored: StoredVector[],
): VectorWrites {
  return {
    async put(memory, made, vector) {
      const checked = checkedVector(vector, made, "vector");
      const identity = identityId(connection, made);
      const keys = [memory.id, identity, memory.contentHash] as const;
      if (connection.get(HAS_ONE, ...keys) === undefined)
        connection.run(
          `INSERT OR REPLACE INTO vectors (memory_id, identity_id, content_hash, vector, made_by, member_id, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ...keys,
          bytesOf(checked),
          client,
          caller.member.id,
          nowS,
        );
      connection.run("DELETE FROM embedding_claims WHERE memory_id = ? AND identity_id = ?", memory.id, identity);
      // Only the active one's vectors make a row no longer pending.
      if (isSameIdentity(made, readIdentities(connection).active)) {
        connection.run(
          "UPDATE memories SET embedding_status = 'ok' WHERE id = ? AND content_hash = ?",
          memory.id,
          memory.contentHash,
        );
      }
      touch(memory.id);
      stored.push({ memoryId: memory.id, identity: made });
    },
    async isEmbedded(memory) {
      const identity = findIdentity(connection, readIdentities(connection).active);
      if (identity === undefined) return false;
      return connection.get(HAS_ONE, memory.id, identity, memory.contentHash) !== undefined;
    },
    claim: async (identity, claim) => claimPending(connection, identity, claim, await spacesIn("everywhere"), nowS),
    release: async (claimant, ids) => releaseClaims(connection, claimant, ids),
  };
}
