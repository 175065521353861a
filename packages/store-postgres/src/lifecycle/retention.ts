import { COUNTED_ACCESSES, GAP_DAYS, type Plan } from "@chest/core";
import type { Where } from "./sweep-conditions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** Rows kept for a limited time, and their removal. */
interface RetentionRule {
  readonly days: number;
  /** Condition of a row that is past its time; takes the moment before which that is. */
  readonly over: string;
  /** The statement as far as its condition; rows are told by where they lie. */
  readonly remove: string;
}

const KEPT: Readonly<Record<string, RetentionRule>> = {
  events: { days: 90, over: "occurred_at < ?", remove: "DELETE FROM events" },
  session_snapshots: { days: 14, over: "created_at < ?", remove: "DELETE FROM session_snapshots" },
  file_snapshots: { days: 30, over: "last_read_at < ?", remove: "DELETE FROM file_snapshots" },
  // A client keeps what it could not deliver for thirty days: its keys are known a little longer.
  idempotency: { days: 32, over: "at < ?", remove: "DELETE FROM idempotency" },
  audit_log: { days: 400, over: "at < ?", remove: "DELETE FROM audit_log" },
  gaps: { days: GAP_DAYS, over: "last_at < ?", remove: "DELETE FROM gaps" },
  maintenance_runs: { days: 400, over: "started_at < ?", remove: "DELETE FROM maintenance_runs" },
  // A session without an end is over after a day.
  sessions: {
    days: 1,
    over: "status = 'active' AND last_seen_at < ?",
    remove: "UPDATE sessions SET status = 'abandoned'",
  },
  // The newest stamps of a memory are all that its heat and activation are made of.
  memory_access_log: {
    days: 0,
    over: `id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY memory_id ORDER BY accessed_at DESC, id DESC) AS nth
        FROM memory_access_log WHERE memory_id IN (
          SELECT memory_id FROM memory_access_log GROUP BY memory_id HAVING count(*) > ${COUNTED_ACCESSES})) counted
      WHERE nth > ${COUNTED_ACCESSES}) AND accessed_at < ?`,
    remove: "DELETE FROM memory_access_log",
  },
};

// Rows in one transaction.
const AT_ONCE = 200;
// More than this at a time is more than one plan takes.
const MOST_ROWS = 20_000;

export async function retentionPlan(sweeper: Sweeper, { nowS }: Where): Promise<Plan> {
  const beforeOf = ({ days }: RetentionRule) => nowS - days * DAY_S;
  const tables = await Promise.all(
    Object.entries(KEPT).map(async ([name, kept]) => {
      const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${name} WHERE ${kept.over} LIMIT ${MOST_ROWS}) some_of_them`;
      const row = await sweeper.reader.get<{ n: number }>(sql, beforeOf(kept));
      return { name, kept, rows: row?.n ?? 0 };
    }),
  );
  const due = tables.reduce((sum, { rows }) => sum + rows, 0);
  const counts = tables.flatMap(({ name, rows }) => (rows > 0 ? [`${name} ${rows}`] : []));
  return {
    scanned: due,
    due,
    archives: [],
    hasMore: tables.some(({ rows }) => rows === MOST_ROWS),
    ...(counts.length > 0 ? { note: counts.join(", ") } : {}),
    async apply({ signal }) {
      let changed = 0;
      for (const { name, kept, rows } of tables) {
        const turns = Array.from({ length: Math.ceil(rows / AT_ONCE) }, (_, nth) => nth);
        const removed = await inSlices(
          sweeper,
          turns,
          { op: "maintenance:retention", signal },
          async ({ tx }) => (await tx.connection.run(removeSome(name, kept), beforeOf(kept))).changes,
        );
        changed += removed.reduce((sum, each) => sum + each, 0);
      }
      return { changed, archived: [], created: [] };
    },
  };
}

// Rows that another transaction is using stay until the next run.
const removeSome = (table: string, { over, remove }: RetentionRule): string =>
  `${remove} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${over} LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))`;
