import { MAX_SCORE } from "@chest/core/conversation";
import { type AccessWrites, KEPT_STAMPS } from "@chest/store/memories/access-buffer";
import type { Writer } from "../database/write.ts";

const LOCK = "SELECT id FROM memories WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE";
const COUNT = `UPDATE memories m SET access_count = m.access_count + n.times,
    last_accessed_at = greatest(n.last_at, coalesce(m.last_accessed_at, 0))
  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[]) AS n (id, times, last_at) WHERE m.id = n.id`;
const REWARD = `UPDATE memories m SET conv_score = least(m.conv_score + n.more, ?::float8)
  FROM unnest(?::bigint[], ?::float8[]) AS n (id, more) WHERE m.id = n.id`;
const STAMP = `INSERT INTO memory_access_log (memory_id, accessed_at, member_id)
  SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::bigint[])`;
const PRUNE = `DELETE FROM memory_access_log WHERE id IN (
  SELECT l.id FROM memories m CROSS JOIN LATERAL (
    SELECT id FROM memory_access_log WHERE memory_id = m.id ORDER BY accessed_at DESC, id DESC OFFSET ${KEPT_STAMPS}) l
  WHERE m.id = ANY (?) AND m.access_count > ${KEPT_STAMPS})`;

/** Writes batches in a few statements; rows are locked in the order of their ids, as in every backend. */
export const accessWrites = (writer: Writer): AccessWrites => ({
  async count(noted) {
    const ids = noted.map(([id]) => id);
    const stamps = noted.flatMap(([id, accesses]) =>
      accesses.slice(-KEPT_STAMPS).map(([at, memberId]) => [id, at, memberId] as const),
    );
    await writer.write(async (tx) => {
      const there = new Set(await tx.ids(LOCK, ids));
      const kept = stamps.filter(([id]) => there.has(id));
      tx.later(
        COUNT,
        ids,
        noted.map(([, accesses]) => accesses.length),
        noted.map(([, accesses]) => Math.max(...accesses.map(([at]) => at))),
      );
      tx.later(
        STAMP,
        kept.map(([id]) => id),
        kept.map(([, at]) => at),
        kept.map(([, , memberId]) => memberId),
      );
      tx.later(PRUNE, ids);
    });
  },
  async reward(points) {
    const ids = points.map(([id]) => id);
    await writer.write(async (tx) => {
      tx.later(LOCK, ids);
      tx.later(
        REWARD,
        MAX_SCORE,
        ids,
        points.map(([, more]) => more),
      );
    });
  },
});
