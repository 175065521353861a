import { checkedVector, identityParts, type StoredVector } from "@chest/core/embedding";
import type { Memory } from "@chest/core/memory";
import type { Claim, EmbeddingIdentity, VectorWrites } from "@chest/core/ports";
import { statements } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";
import { HAS_VECTOR, readIdentities } from "./identities.ts";

/** Engine-specific writes of vectors. */
export interface VectorParts {
  /** Stores a vector and ends its claim; a vector of the active identity ends the pending state. */
  put(memory: Pick<Memory, "id" | "contentHash">, identity: EmbeddingIdentity, vector: Float32Array): Promise<void>;
  /** Claims the next rows above a cursor. */
  claim(identity: EmbeddingIdentity, claim: Claim): Promise<number[]>;
}

const sqlOf = statements((d) => ({
  isEmbedded: `SELECT 1 FROM memories m WHERE m.id = ? AND m.content_hash = ? AND ${HAS_VECTOR}`,
  release: `DELETE FROM embedding_claims WHERE claimant = ? AND ${d.isOneOf("memory_id")}`,
}));

/** @param stored collects the vectors of this transaction. */
export function vectorWrites(
  { connection, touch }: Transaction,
  { put, claim }: VectorParts,
  stored: StoredVector[],
): VectorWrites {
  const sql = sqlOf(connection.dialect);
  return {
    async put(memory, identity, vector) {
      await put(memory, identity, checkedVector(vector, identity, "vector"));
      touch(memory.id);
      stored.push({ memoryId: memory.id, identity });
    },
    async isEmbedded({ id, contentHash }) {
      const parts = identityParts((await readIdentities(connection)).active);
      return (await connection.get(sql.isEmbedded, id, contentHash, ...parts)) !== undefined;
    },
    claim,
    async release(claimant, ids) {
      connection.later(sql.release, claimant, ids);
    },
  };
}
