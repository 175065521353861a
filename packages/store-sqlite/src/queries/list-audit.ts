import type { AuditEntry, AuditQuery } from "@chest/core";
import type { Statements } from "../database/connection.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";

interface AuditRow {
  readonly seq: number;
  readonly at: number;
  readonly name: string | null;
  readonly token_id: number | null;
  readonly client: string | null;
  readonly op: string;
  readonly outcome: string;
  readonly memory_ids: string;
  readonly subject: string | null;
  readonly times: number;
}

const LIST = `SELECT a.seq, a.at, m.name, a.token_id, a.client, a.op, a.outcome, a.memory_ids, a.subject, a.times
  FROM audit_log a LEFT JOIN members m ON m.id = a.member_id
  WHERE a.seq < ? AND a.seq > ? AND a.at >= ? AND (? IS NULL OR m.name = ?) AND (? IS NULL OR a.op = ?)
    AND (? IS NULL OR EXISTS (SELECT 1 FROM json_each(a.memory_ids) WHERE value = ?))
  ORDER BY a.seq`;

/** In a thread: by member or memory it may walk the whole log. */
export function listAudit(connection: Pick<Statements, "all">, query: AuditQuery): AuditEntry[] {
  const { member = null, op = null, memoryId = null, since, before = Number.MAX_SAFE_INTEGER, after, limit } = query;
  const filters = [since ? toSeconds(since) : 0, member, member, op, op, memoryId, memoryId] as const;
  const sql = `${LIST} ${after === undefined ? "DESC" : "ASC"} LIMIT ?`;
  return connection.all<AuditRow>(sql, before, after ?? 0, ...filters, limit).map((row) => ({
    seq: row.seq,
    at: toDate(row.at),
    member: row.name ?? undefined,
    tokenId: row.token_id ?? undefined,
    client: row.client ?? undefined,
    op: row.op,
    outcome: row.outcome,
    memoryIds: JSON.parse(row.memory_ids),
    subject: row.subject ?? undefined,
    times: row.times,
  }));
}
