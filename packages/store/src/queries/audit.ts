import { LAST_SECOND } from "@chest/core/memory";
import type { AuditEntry, AuditQuery } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import { toDate, toSeconds } from "../database/rows.ts";

interface AuditRow {
  readonly seq: number;
  readonly at: number;
  readonly name: string | null;
  readonly token_id: number | null;
  readonly client: string | null;
  readonly op: string;
  readonly outcome: string;
  readonly memory_ids: readonly number[] | string;
  readonly subject: string | null;
  readonly times: number;
}

const listOf = statements(
  (d) => `SELECT a.seq, a.at, m.name, a.token_id, a.client, a.op, a.outcome, a.memory_ids, a.subject, a.times
  FROM audit_log a LEFT JOIN members m ON m.id = a.member_id
  WHERE a.seq < ? AND a.seq > ? AND a.at >= ? AND a.at <= ? AND (CAST(? AS text) IS NULL OR m.name = ?)
    AND (CAST(? AS text) IS NULL OR a.op = ?) AND (CAST(? AS bigint) IS NULL OR ${d.holds("a.memory_ids")})
  ORDER BY a.seq`,
);

/** Lists the audit log; a filter by member or memory may scan all of it. */
export async function listAudit(connection: Reading, query: AuditQuery): Promise<AuditEntry[]> {
  const {
    member = null,
    op = null,
    memoryId = null,
    since,
    until,
    before = Number.MAX_SAFE_INTEGER,
    after,
    limit,
  } = query;
  const between = [since ? toSeconds(since) : 0, until ? toSeconds(until) : LAST_SECOND] as const;
  const filters = [...between, member, member, op, op, memoryId, memoryId] as const;
  const sql = `${listOf(connection.dialect)} ${after === undefined ? "DESC" : "ASC"} LIMIT ?`;
  const rows = await connection.all<AuditRow>(sql, before, after ?? 0, ...filters, limit);
  return rows.map((row) => ({
    seq: row.seq,
    at: toDate(row.at),
    member: row.name ?? undefined,
    tokenId: row.token_id ?? undefined,
    client: row.client ?? undefined,
    op: row.op,
    outcome: row.outcome,
    memoryIds: [...listIn(row.memory_ids)],
    subject: row.subject ?? undefined,
    times: row.times,
  }));
}
