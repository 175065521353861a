import { COUNTED_ACCESSES, GAP_DAYS, type Plan } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { mergeIndex } from "../full-text/merge-segments.ts";
import type { Where } from "./sweep-conditions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** Rows kept for a limited time: the keys of those that outlived it, and their removal. */
interface RetainedRows {
  readonly days: number;
  /** Columns that tell one row. */
  readonly key: readonly string[];
  /** Keys of the rows that are older than its one value. */
  readonly select: string;
  /** The statement as far as its condition. */
  readonly remove: string;
  /** The column of its time: a row that was used meanwhile stays. */
  readonly time: string;
}

const KEPT: Readonly<Record<string, RetainedRows>> = {
  events: {
    days: 90,
    key: ["id"],
    select: "SELECT id FROM events WHERE occurred_at < ?",
    remove: "DELETE FROM events",
    time: "occurred_at",
  },
  session_snapshots: {
    days: 14,
    key: ["member_id", "session_id", "kind"],
    select: "SELECT member_id, session_id, kind FROM session_snapshots WHERE created_at < ?",
    remove: "DELETE FROM session_snapshots",
    time: "created_at",
  },
  file_snapshots: {
    days: 30,
    key: ["machine", "member_id", "session_key", "path"],
    select: "SELECT machine, member_id, session_key, path FROM file_snapshots WHERE last_read_at < ?",
    remove: "DELETE FROM file_snapshots",
    time: "last_read_at",
  },
  injections: {
    days: 7,
    key: ["session_id", "memory_id", "surface", "at"],
    select: "SELECT session_id, memory_id, surface, at FROM injections WHERE at < ?",
    remove: "DELETE FROM injections",
    time: "at",
  },
  // A client keeps what it could not deliver for thirty days: its keys are known a little longer.
  idempotency: {
    days: 32,
    key: ["member_id", "key"],
    select: "SELECT member_id, key FROM idempotency WHERE at < ?",
    remove: "DELETE FROM idempotency",
    time: "at",
  },
  audit_log: {
    days: 400,
    key: ["seq"],
    select: "SELECT seq FROM audit_log WHERE at < ?",
    remove: "DELETE FROM audit_log",
    time: "at",
  },
  gaps: {
    days: GAP_DAYS,
    key: ["id"],
    select: "SELECT id FROM gaps WHERE last_at < ?",
    remove: "DELETE FROM gaps",
    time: "last_at",
  },
  maintenance_runs: {
    days: 400,
    key: ["id"],
    select: "SELECT id FROM maintenance_runs WHERE started_at < ?",
    remove: "DELETE FROM maintenance_runs",
    time: "started_at",
  },
  // A session without an end is over after a day.
  sessions: {
    days: 1,
    key: ["member_id", "id"],
    select: "SELECT member_id, id FROM sessions WHERE status = 'active' AND last_seen_at < ?",
    remove: "UPDATE sessions SET status = 'abandoned'",
    time: "last_seen_at",
  },
  // The newest stamps of a memory are all that its heat and activation are made of.
  memory_access_log: {
    days: 0,
    key: ["rowid"],
    select: `SELECT rowid FROM (
        SELECT rowid, accessed_at, row_number() OVER (PARTITION BY memory_id ORDER BY accessed_at DESC, rowid DESC) AS nth
        FROM memory_access_log WHERE memory_id IN (
          SELECT memory_id FROM memory_access_log GROUP BY memory_id HAVING count(*) > ${COUNTED_ACCESSES}))
      WHERE nth > ${COUNTED_ACCESSES} AND accessed_at < ?`,
    remove: "DELETE FROM memory_access_log",
    time: "accessed_at",
  },
};

/** Takes the keys of many rows, and the time. */
const removeAll = ({ remove, key, time }: RetainedRows): string =>
  `${remove} WHERE (${key.join(", ")}) IN (SELECT ${key.map((_, at) => `value ->> ${at}`).join(", ")} FROM json_each(?))
     AND ${time} < ?`;

type Key = readonly (string | number)[];

export interface Outlived {
  readonly tables: readonly { readonly name: string; readonly keys: readonly Key[] }[];
  readonly hasMore: boolean;
}

// One statement for each so many: row by row each costs a statement of its own.
const AT_ONCE = 200;
// More than this at a time is a lot to hand from thread to thread.
const MOST_KEYS = 20_000;

/** Runs in the thread: finds the keys of rows past their retention. */
export function readOutlived(connection: Connection, { nowS }: Where): Outlived {
  const tables = Object.entries(KEPT).map(([name, { days, select }]) => ({
    name,
    keys: connection
      .all<Record<string, string | number>>(`${select} LIMIT ${MOST_KEYS}`, nowS - days * DAY_S)
      .map((row) => Object.values(row)),
  }));
  return { tables, hasMore: tables.some(({ keys }) => keys.length === MOST_KEYS) };
}

export async function retentionPlan(sweeper: Sweeper, where: Where): Promise<Plan> {
  const { tables, hasMore } = await sweeper.thread.ask("retention", where);
  const due = tables.reduce((sum, { keys }) => sum + keys.length, 0);
  const counts = tables.flatMap(({ name, keys }) => (keys.length > 0 ? [`${name} ${keys.length}`] : []));
  return {
    scanned: due,
    due,
    archives: [],
    hasMore,
    ...(counts.length > 0 ? { note: counts.join(", ") } : {}),
    async apply({ signal }) {
      let changed = 0;
      for (const { name, keys } of tables) {
        const kept = KEPT[name] as RetainedRows;
        const before = where.nowS - kept.days * DAY_S;
        const some = Array.from({ length: Math.ceil(keys.length / AT_ONCE) }, (_, nth) =>
          keys.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
        );
        await inSlices(sweeper, some, { op: "maintenance:retention", signal }, ({ tx }, each) => {
          changed += tx.sync.run(removeAll(kept), JSON.stringify(each), before).changes;
        });
      }
      // Behind everything that took words out of it.
      await mergeIndex(sweeper.writer, sweeper.writing, signal);
      return { changed, archived: [], created: [] };
    },
  };
}
