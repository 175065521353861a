import { COUNTED_ACCESSES } from "@chest/core/lifecycle";
import { GAP_DAYS, type Plan } from "@chest/core/ports";
import { JOURNAL_DAYS } from "@chest/core/transcript";
import type { Reading } from "../database/connection.ts";
import { type Dialect, statements } from "../database/dialect.ts";
import type { Where } from "./sweep-conditions.ts";
import { changingPlan, chunks, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** Rows with a limited retention: how to find and remove outdated ones. */
interface RetainedRows {
  readonly days: number;
  /** Key columns. */
  readonly key: Readonly<Record<string, "bigint" | "text">>;
  /** Time column; a row that was used meanwhile stays. */
  readonly time: string;
  /** Further condition for removal; none by default. */
  readonly also?: string;
  /** Condition that is too costly to check again on removal. */
  readonly first?: string;
  /** Statement for removal, up to its condition; `DELETE` by default. */
  readonly remove?: string;
}

// Only the newest accesses of a memory count for heat and activation.
const isUncounted = (rowNumber: string) => `${rowNumber} IN (SELECT stamp FROM (
    SELECT ${rowNumber} AS stamp, row_number() OVER (PARTITION BY memory_id ORDER BY accessed_at DESC, ${rowNumber} DESC) AS nth
    FROM memory_access_log WHERE memory_id IN (
      SELECT memory_id FROM memory_access_log GROUP BY memory_id HAVING count(*) > ${COUNTED_ACCESSES})) numbered
  WHERE nth > ${COUNTED_ACCESSES})`;

const keptOf = ({ rowNumber }: Dialect): Readonly<Record<string, RetainedRows>> => ({
  events: { days: 90, key: { id: "bigint" }, time: "occurred_at" },
  session_snapshots: {
    days: 14,
    key: { member_id: "bigint", session_id: "text", kind: "text" },
    time: "created_at",
  },
  file_snapshots: {
    days: 30,
    key: { machine: "text", member_id: "bigint", session_key: "text", path: "text" },
    time: "last_read_at",
  },
  // A client retries for thirty days; keys are kept a little longer.
  idempotency: { days: 32, key: { member_id: "bigint", key: "text" }, time: "at" },
  audit_log: { days: 400, key: { seq: "bigint" }, time: "at" },
  gaps: { days: GAP_DAYS, key: { id: "bigint" }, time: "last_at" },
  injections: {
    days: JOURNAL_DAYS,
    key: { member_id: "bigint", session_id: "text", memory_id: "bigint", surface: "text", at: "bigint" },
    time: "at",
  },
  maintenance_runs: { days: 400, key: { id: "bigint" }, time: "started_at" },
  // A session without an end counts as ended after a day.
  sessions: {
    days: 1,
    key: { member_id: "bigint", id: "text" },
    time: "last_seen_at",
    also: "status = 'active'",
    remove: "UPDATE sessions SET status = 'abandoned'",
  },
  memory_access_log: {
    days: 0,
    key: { [rowNumber]: "bigint" },
    time: "accessed_at",
    first: isUncounted(rowNumber),
  },
});

/** Statements for rows past their retention; both take the time limit. */
function sqlFor(d: Dialect, table: string, kept: RetainedRows) {
  const { key, time, also = "true", first = "true", remove = `DELETE FROM ${table}` } = kept;
  const columns = Object.keys(key).join(", ");
  return {
    outlived: `SELECT ${columns} FROM ${table} WHERE ${time} < ? AND ${also} AND ${first} LIMIT ${MOST_KEYS}`,
    // Rows that another transaction has locked stay until the next run.
    remove: `${remove} WHERE (${columns}) IN (
      SELECT ${columns} FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${d.rowsOf(key, "gone")})
        AND ${time} < ? AND ${also} ${d.skipLocked})`,
  };
}

type Key = readonly (string | number)[];

interface Outlived {
  readonly tables: readonly { readonly name: string; readonly keys: readonly Key[] }[];
  readonly hasMore: boolean;
}

// Limits the keys that are transferred between threads at a time.
const MOST_KEYS = 20_000;

const keptIn = statements(keptOf);

/** Engine-specific parts of retention. */
export interface RetentionParts {
  /** Called after a removal. */
  tidy?(signal: AbortSignal): Promise<void>;
}

/** Finds the keys of rows past their retention. */
export async function readOutlived(connection: Reading, query: Where): Promise<Outlived> {
  const d = connection.dialect;
  const tables = [];
  for (const [name, kept] of Object.entries(keptIn(d))) {
    const { outlived } = sqlFor(d, name, kept);
    const rows = await connection.all<Record<string, string | number>>(outlived, query.nowS - kept.days * DAY_S);
    tables.push({ name, keys: rows.map((row) => Object.values(row)) });
  }
  return { tables, hasMore: tables.some(({ keys }) => keys.length === MOST_KEYS) };
}

export async function retentionPlan(sweeper: Sweeper, where: Where, parts: RetentionParts): Promise<Plan> {
  const { tidy } = parts;
  const { tables, hasMore } = await sweeper.ask("retention", where);
  const due = tables.reduce((sum, { keys }) => sum + keys.length, 0);
  const counts = tables.flatMap(({ name, keys }) => (keys.length > 0 ? [`${name} ${keys.length}`] : []));
  const some = tables.flatMap(({ name, keys }) =>
    chunks(keys.length).map(({ from, to }) => ({ name, keys: keys.slice(from, to) })),
  );
  const plan = changingPlan(sweeper, "retention", { scanned: due, due }, some, async ({ tx }, { name, keys }) => {
    const d = tx.connection.dialect;
    const kept = keptIn(d)[name] as RetainedRows;
    const { remove } = sqlFor(d, name, kept);
    return (await tx.connection.run(remove, JSON.stringify(keys), where.nowS - kept.days * DAY_S)).changes;
  });
  return {
    ...plan,
    hasMore,
    ...(counts.length > 0 ? { note: counts.join(", ") } : {}),
    async apply(doing) {
      const done = await plan.apply(doing);
      await tidy?.(doing.signal);
      return done;
    },
  };
}
