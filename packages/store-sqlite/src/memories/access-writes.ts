import { MAX_SCORE } from "@chest/core/conversation";
import { type AccessWrites, KEPT_STAMPS } from "@chest/store/memories/access-buffer";
import type { Connection } from "../database/connection.ts";
import type { Writer } from "../database/write-queue.ts";

const COUNT = `UPDATE memories SET access_count = access_count + ?, last_accessed_at = max(?, coalesce(last_accessed_at, 0))
  WHERE id = ? RETURNING access_count`;
const REWARD = "UPDATE memories SET conv_score = min(conv_score + ?, ?) WHERE id = ?";
const STAMP = "INSERT INTO memory_access_log (memory_id, accessed_at, member_id) VALUES (?, ?, ?)";
const PRUNE = `DELETE FROM memory_access_log WHERE memory_id = ? AND rowid NOT IN (
  SELECT rowid FROM memory_access_log WHERE memory_id = ? ORDER BY accessed_at DESC LIMIT ?)`;

/** Writes batches in the background lane, row by row: single statements are cheaper here than lists. */
export const accessWrites = (writer: Writer, connection: Connection): AccessWrites => ({
  count: (noted) =>
    writer.sweep(async () => {
      for (const [id, accesses] of noted) {
        const last = Math.max(...accesses.map(([at]) => at));
        const row = connection.get<{ access_count: number }>(COUNT, accesses.length, last, id);
        if (!row) continue;
        for (const [at, memberId] of accesses.slice(-KEPT_STAMPS)) connection.run(STAMP, id, at, memberId);
        if (row.access_count > KEPT_STAMPS) connection.run(PRUNE, id, id, KEPT_STAMPS);
      }
    }),
  reward: (points) =>
    writer.sweep(async () => {
      for (const [id, more] of points) connection.run(REWARD, more, MAX_SCORE, id);
    }),
});
