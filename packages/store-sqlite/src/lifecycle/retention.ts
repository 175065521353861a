import { COUNTED_ACCESSES, type Plan } from "@chest/core";
import type { Connection } from "../connection.ts";
import type { Where } from "./questions.ts";
import { inSlices, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** What is kept for a time only: which rows have outlived it, by their keys, and how one is removed. */
interface Kept {
  readonly days: number;
  /** Keys of the rows that are older than its one value. */
  readonly select: string;
  /** Takes the key's columns, and the time once more: a row that was used meanwhile stays. */
  readonly remove: string;
}

const KEPT: Readonly<Record<string, Kept>> = {
  events: {
    days: 90,
    select: "SELECT id FROM events WHERE occurred_at < ?",
    remove: "DELETE FROM events WHERE id = ? AND occurred_at < ?",
  },
  session_snapshots: {
    days: 14,
    select: "SELECT session_id, kind FROM session_snapshots WHERE created_at < ?",
    remove: "DELETE FROM session_snapshots WHERE session_id = ? AND kind = ? AND created_at < ?",
  },
  file_snapshots: {
    days: 30,
    select: "SELECT machine, member_id, session_key, path FROM file_snapshots WHERE last_read_at < ?",
    remove:
      "DELETE FROM file_snapshots WHERE machine = ? AND member_id = ? AND session_key = ? AND path = ? AND last_read_at < ?",
  },
  injections: {
    days: 7,
    select: "SELECT session_id, memory_id, surface, at FROM injections WHERE at < ?",
    remove: "DELETE FROM injections WHERE session_id = ? AND memory_id = ? AND surface = ? AND at = ? AND at < ?",
  },
  // A client keeps what it could not deliver for thirty days: its keys are known a little longer.
  idempotency: {
    days: 32,
    select: "SELECT member_id, key FROM idempotency WHERE at < ?",
    remove: "DELETE FROM idempotency WHERE member_id = ? AND key = ? AND at < ?",
  },
  audit_log: {
    days: 400,
    select: "SELECT seq FROM audit_log WHERE at < ?",
    remove: "DELETE FROM audit_log WHERE seq = ? AND at < ?",
  },
  maintenance_runs: {
    days: 400,
    select: "SELECT id FROM maintenance_runs WHERE started_at < ?",
    remove: "DELETE FROM maintenance_runs WHERE id = ? AND started_at < ?",
  },
  // A session that nobody has closed is over after a day.
  sessions: {
    days: 1,
    select: "SELECT id FROM sessions WHERE status = 'active' AND last_seen_at < ?",
    remove: "UPDATE sessions SET status = 'abandoned' WHERE id = ? AND last_seen_at < ?",
  },
  // The newest stamps of a memory are all that its heat and activation are made of.
  memory_access_log: {
    days: 0,
    select: `SELECT rowid FROM (
        SELECT rowid, accessed_at, row_number() OVER (PARTITION BY memory_id ORDER BY accessed_at DESC, rowid DESC) AS nth
        FROM memory_access_log WHERE memory_id IN (
          SELECT memory_id FROM memory_access_log GROUP BY memory_id HAVING count(*) > ${COUNTED_ACCESSES}))
      WHERE nth > ${COUNTED_ACCESSES} AND accessed_at < ?`,
    remove: "DELETE FROM memory_access_log WHERE rowid = ? AND accessed_at < ?",
  },
};

type Key = readonly (string | number)[];

export interface Outlived {
  readonly tables: readonly { readonly name: string; readonly keys: readonly Key[] }[];
  readonly hasMore: boolean;
}

// More than this at a time is a lot to hand from thread to thread.
const MOST_KEYS = 20_000;

/** In the thread: what is past its time, by its keys. */
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
    ...{ scanned: due, due, archives: [], hasMore },
    ...(counts.length > 0 ? { note: counts.join(", ") } : {}),
    async apply({ signal }) {
      let changed = 0;
      for (const { name, keys } of tables) {
        const { remove, days } = KEPT[name] as Kept;
        const before = where.nowS - days * DAY_S;
        await inSlices(sweeper, keys, { op: "maintenance:retention", signal }, ({ tx }, key) => {
          changed += tx.connection.run(remove, ...key, before).changes;
        });
      }
      return { changed, archived: [], created: [] };
    },
  };
}
