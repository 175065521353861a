import { checkedVector, type EmbeddingIdentity, isSameIdentity, type VectorWrites } from "@chest/core";
import type { Transaction } from "./transaction.ts";

/** @param active the identity whose vector makes a row no longer pending. */
export function vectorWrites(
  { connection, caller, nowS, client, touch }: Transaction,
  active: EmbeddingIdentity,
): VectorWrites {
  return {
    async put(memory, made, vector) {
      const { model, revision, dimensions, pooling } = made;
      const values = [model, revision, dimensions, pooling] as const;
      const checked = checkedVector(vector, made, "vector");
      connection.run(
        "INSERT OR IGNORE INTO embedding_identities (model, revision, dimensions, pooling) VALUES (?, ?, ?, ?)",
        ...values,
      );
      const identity = connection.get<{ id: number }>(
        "SELECT id FROM embedding_identities WHERE model = ? AND revision = ? AND dimensions = ? AND pooling = ? AND prefix = ''",
        ...values,
      );
      if (!identity) throw new Error("an embedding identity vanished inside its transaction");
      connection.run(
        `INSERT OR REPLACE INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[memory.id, identity.id, littleEndian(checked), memory.contentHash, client, caller.member.id, nowS],
      );
      if (isSameIdentity(made, active)) {
        connection.run(
          "UPDATE memories SET embedding_status = 'ok' WHERE id = ? AND content_hash = ?",
          ...[memory.id, memory.contentHash],
        );
      }
      touch(memory.id);
    },
  };
}

function littleEndian(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [i, x] of vector.entries()) bytes.writeFloatLE(x, 4 * i);
  return bytes;
}
