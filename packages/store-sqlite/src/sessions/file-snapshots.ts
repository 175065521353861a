import type { FileSnapshot, Member, SnapshotReads, SnapshotWrites } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";

const UNREAD_S = 30 * 86_400;

interface FileSnapshotRow {
  readonly path: string;
  readonly content_hash: string;
  readonly mtime_ns: string;
  readonly size: number;
  readonly chunks: string;
  readonly last_read_at: number;
  readonly read_count: number;
}

/** Reads of file snapshots: a member's own sessions alone, and nothing older than a month. */
export function snapshotReads(connection: Reading, member: Member, now: () => number): SnapshotReads {
  return {
    async find({ machine, session, path }) {
      const row = connection.get<FileSnapshotRow>(
        `SELECT path, content_hash, mtime_ns, size, chunks, last_read_at, read_count FROM file_snapshots
         WHERE machine = ? AND member_id = ? AND session_key = ? AND path = ? AND last_read_at > ?`,
        machine,
        member.id,
        session,
        path,
        now() - UNREAD_S,
      );
      return row && toSnapshot(row);
    },
  };
}

export function snapshotWrites({ sync: connection, caller, nowS }: Transaction): SnapshotWrites {
  return {
    async put({ machine, session, path }, { contentHash, mtimeNs, sizeBytes, chunks }) {
      connection.run(
        "DELETE FROM file_snapshots WHERE machine = ? AND member_id = ? AND last_read_at <= ?",
        machine,
        caller.member.id,
        nowS - UNREAD_S,
      );
      connection.run(
        `INSERT INTO file_snapshots (machine, member_id, session_key, path, content_hash, mtime_ns, size, chunks, last_read_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET content_hash = excluded.content_hash, mtime_ns = excluded.mtime_ns, size = excluded.size,
           chunks = excluded.chunks, last_read_at = excluded.last_read_at, read_count = read_count + 1`,
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
      connection.run(
        `UPDATE file_snapshots SET last_read_at = ?, read_count = read_count + 1, mtime_ns = coalesce(?, mtime_ns)
         WHERE machine = ? AND member_id = ? AND session_key = ? AND path = ?`,
        nowS,
        mtimeNs ?? null,
        machine,
        caller.member.id,
        session,
        path,
      );
    },
  };
}

const toSnapshot = (row: FileSnapshotRow): FileSnapshot => ({
  path: row.path,
  contentHash: row.content_hash,
  mtimeNs: row.mtime_ns,
  sizeBytes: row.size,
  chunks: row.chunks,
  lastReadAt: toDate(row.last_read_at),
  readCount: row.read_count,
});
