import type { Member } from "@chest/core/access";
import type { FileSnapshot, SnapshotReads, SnapshotWrites } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

const UNREAD_S = 30 * 86_400;

interface SnapshotRow {
  readonly path: string;
  readonly content_hash: string;
  readonly mtime_ns: string;
  readonly size: number;
  readonly chunks: string;
  readonly last_read_at: number;
  readonly read_count: number;
}

const sqlOf = statements((d) => {
  // A path may exceed the length of an index row.
  const isOne = `member_id = ? AND machine = ? AND session_key = ? AND ${d.indexedText("path")} = ${d.indexedText("?")}`;
  return {
    find: `SELECT path, content_hash, mtime_ns, size, chunks, last_read_at, read_count FROM file_snapshots
      WHERE ${isOne} AND last_read_at > ?`,
    put: `INSERT INTO file_snapshots AS s (machine, member_id, session_key, path, content_hash, mtime_ns, size, chunks, last_read_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (member_id, machine, session_key, ${d.indexedText("path")}) DO UPDATE SET content_hash = excluded.content_hash,
        mtime_ns = excluded.mtime_ns, size = excluded.size, chunks = excluded.chunks, last_read_at = excluded.last_read_at,
        read_count = s.read_count + 1`,
    touch: `UPDATE file_snapshots SET last_read_at = ?, read_count = read_count + 1, mtime_ns = coalesce(?, mtime_ns) WHERE ${isOne}`,
  };
});

/** Reads the readings of a member's own sessions, at most a month old. */
export function snapshotReads(connection: Reading, member: Member, now: () => number): SnapshotReads {
  return {
    async find({ machine, session, path }) {
      const row = await connection.get<SnapshotRow>(
        sqlOf(connection.dialect).find,
        member.id,
        machine,
        session,
        path,
        now() - UNREAD_S,
      );
      return row && toSnapshot(row);
    },
  };
}

export function snapshotWrites({ connection, caller, nowS }: Transaction): SnapshotWrites {
  return {
    async put({ machine, session, path }, { contentHash, mtimeNs, sizeBytes, chunks }) {
      connection.later(
        "DELETE FROM file_snapshots WHERE machine = ? AND member_id = ? AND last_read_at <= ?",
        machine,
        caller.member.id,
        nowS - UNREAD_S,
      );
      await connection.run(
        sqlOf(connection.dialect).put,
        machine,
        caller.member.id,
        session,
        path,
        contentHash,
        mtimeNs,
        sizeBytes,
        chunks,
        nowS,
      );
    },
    async touch({ machine, session, path }, mtimeNs) {
      await connection.run(
        sqlOf(connection.dialect).touch,
        nowS,
        mtimeNs ?? null,
        caller.member.id,
        machine,
        session,
        path,
      );
    },
  };
}

const toSnapshot = (row: SnapshotRow): FileSnapshot => ({
  path: row.path,
  contentHash: row.content_hash,
  mtimeNs: row.mtime_ns,
  sizeBytes: row.size,
  chunks: row.chunks,
  lastReadAt: toDate(row.last_read_at),
  readCount: row.read_count,
});
