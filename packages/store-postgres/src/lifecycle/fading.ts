import {
  type ForgettingPlan,
  heat,
  isExpired,
  type Layer,
  NEVER_AT_RISK_DAYS,
  type Plan,
  risk,
  riskVerdict,
} from "@chest/core";
import { toDate, toDateIfAny, toSeconds } from "@chest/store/database/rows";
import { archiveAll } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

export const waitingNote = (waiting: number) => (waiting > 0 ? { note: `${waiting} more wait for the next run` } : {});

/** Archives what has outlived its time. What was brought in old has some here, unless its end was set by hand. */
export async function expiryPlan(sweeper: Sweeper, where: Where, cap: number): Promise<Plan> {
  const { sql, values } = inPlace(where);
  const rows = await sweeper.reader.all<{ id: number; is_over: boolean }>(
    `SELECT m.id, m.expires_at <= ? AND (m.expires_explicit OR coalesce(m.known_at, 0) < ?) AS is_over FROM memories m
     WHERE m.archived_at IS NULL AND m.expires_at IS NOT NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.expires_at, m.id`,
    where.nowS,
    where.nowS - NEVER_AT_RISK_DAYS * DAY_S,
    ...values,
  );
  const without = new Set(where.without);
  const over = rows.flatMap(({ id, is_over }) => (is_over && !without.has(id) ? [id] : []));
  const ids = over.slice(0, cap);
  const waiting = over.length - ids.length;
  const now = sweeper.clock.now();
  return {
    scanned: rows.length,
    due: ids.length,
    archives: ids,
    hasMore: waiting > 0,
    ...waitingNote(waiting),
    apply: (doing) =>
      archiveAll(
        sweeper,
        ids,
        { pass: "expiry", reason: "expired", isStillDue: (memory) => isExpired(memory, now) },
        doing,
      ),
  };
}

/** How a memory was used: from it its heat is computed. */
export interface UseRow {
  readonly importance: number;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
  readonly access_count: number;
  readonly d30: number;
  readonly d90: number;
}

/** Columns of that; its two values are the starts of the last 30 and 90 days. */
export const USE_COLUMNS = `m.importance, m.created_at, m.last_accessed_at, m.access_count,
  CASE WHEN m.access_count = 0 THEN 0 ELSE (SELECT count(*) FROM memory_access_log l WHERE l.memory_id = m.id AND l.accessed_at > ?) END AS d30,
  CASE WHEN m.access_count = 0 THEN 0 ELSE (SELECT count(*) FROM memory_access_log l WHERE l.memory_id = m.id AND l.accessed_at > ?) END AS d90`;

export const useSince = (nowS: number) => [nowS - 30 * DAY_S, nowS - 90 * DAY_S] as const;

export function heatOf(row: UseRow, now: Date): number {
  const used = {
    importance: row.importance,
    accessCount: row.access_count,
    createdAt: toDate(row.created_at),
    lastAccessedAt: toDateIfAny(row.last_accessed_at),
  };
  return heat(used, { within30Days: row.d30, within90Days: row.d90 }, now);
}

/** How much at risk each memory is that was not used for long. */
export async function forgettingPlan(sweeper: Sweeper, where: Where, cap: number): Promise<ForgettingPlan> {
  const { sql, values } = inPlace(where);
  const { nowS } = where;
  // An imported memory could not be used here before: it counts as used when it came.
  const [live, rows] = await Promise.all([
    sweeper.reader.get<{ n: number }>(
      `SELECT count(*) AS n FROM memories m WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${sql}`,
      ...values,
    ),
    sweeper.reader.all<UseRow & { id: number; layer: Layer; known_at: number | null }>(
      `SELECT m.id, m.layer, m.known_at, ${USE_COLUMNS} FROM memories m
       WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${NO_SUMMARY}
         AND greatest(coalesce(m.last_accessed_at, m.created_at), coalesce(m.known_at, 0)) < ? AND ${sql}`,
      ...useSince(nowS),
      nowS - NEVER_AT_RISK_DAYS * DAY_S,
      ...values,
    ),
  ]);
  const without = new Set(where.without);
  const now = toDate(nowS);
  const judged = rows.flatMap((row) => {
    if (without.has(row.id)) return [];
    const usedAtS = row.last_accessed_at ?? row.created_at;
    const lastAccessedAt = toDate(Math.max(usedAtS, row.known_at ?? 0));
    const value = risk({ ...row, createdAt: toDate(row.created_at), lastAccessedAt }, heatOf(row, now), now);
    return [{ id: row.id, usedAtS, value, verdict: riskVerdict(value) }];
  });
  const toDrop = judged.filter(({ verdict }) => verdict === "drop").sort((a, b) => b.value - a.value || a.id - b.id);
  const usedAt = new Map(toDrop.slice(0, cap).map(({ id, usedAtS }) => [id, usedAtS]));
  const archives = [...usedAt.keys()];
  return {
    scanned: live?.n ?? 0,
    due: archives.length,
    archives,
    toDrop: toDrop.length,
    toCompress: judged.filter(({ verdict }) => verdict === "compress").length,
    hasMore: toDrop.length > archives.length,
    ...waitingNote(toDrop.length - archives.length),
    apply: (doing) =>
      archiveAll(
        sweeper,
        archives,
        {
          pass: "forgetting",
          reason: "dropped",
          isStillDue: ({ id, lastAccessedAt, createdAt }) => toSeconds(lastAccessedAt ?? createdAt) === usedAt.get(id),
        },
        doing,
      ),
  };
}
