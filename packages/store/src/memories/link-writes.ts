import type { LinkWrites } from "@chest/core/ports";
import type { Transaction } from "../database/transaction.ts";

const PUT = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
  VALUES (?, ?, ?, ?, 'manual', ?, ?)
  ON CONFLICT (from_id, to_id, type) DO UPDATE SET (note, origin, author_id, created_at) =
    (excluded.note, excluded.origin, excluded.author_id, excluded.created_at)`;

/** Links between memories that callers make. */
export function linkWrites({ connection, caller, nowS, touch }: Transaction): LinkWrites {
  return {
    async put({ id }, { to, type, note }) {
      connection.later(PUT, id, to, type, note ?? null, caller.member.id, nowS);
      touch(id);
    },
    async remove({ id }, { to, type }) {
      const sql = "DELETE FROM memory_links WHERE from_id = ? AND to_id = ? AND type = ?";
      const { changes } = await connection.run(sql, id, to, type);
      if (changes > 0) touch(id);
      return changes > 0;
    },
  };
}
