import { type ForgettingPlan, heat, type Layer, NEVER_AT_RISK_DAYS, risk, riskVerdict } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import { archiveAll } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

export interface Risks {
  readonly scanned: number;
  readonly toDrop: number;
  readonly toCompress: number;
  /** The highest risk first, up to the cap; with when each was last used. */
  readonly drops: readonly { readonly id: number; readonly usedAtS: number }[];
}

export interface UseRow {
  readonly importance: number;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
  readonly access_count: number;
  readonly d30: number;
  readonly d90: number;
}

/**
 * Columns from which the heat of a row of `memories m` is computed; its two values are the starts of the last 30 and
 * 90 days.
 */
export const USE_COLUMNS = `m.importance, m.created_at, m.last_accessed_at, m.access_count,
  iif(m.access_count = 0, 0, (SELECT count(*) FROM memory_access_log l WHERE l.memory_id = m.id AND l.accessed_at > ?)) AS d30,
  iif(m.access_count = 0, 0, (SELECT count(*) FROM memory_access_log l WHERE l.memory_id = m.id AND l.accessed_at > ?)) AS d90`;

export const useSince = (nowS: number) => [nowS - 30 * DAY_S, nowS - 90 * DAY_S] as const;

export function heatOf(row: UseRow, now: Date): number {
  const used = {
    importance: row.importance,
    accessCount: row.access_count,
    createdAt: toDate(row.created_at),
    lastAccessedAt: row.last_accessed_at === null ? undefined : toDate(row.last_accessed_at),
  };
  return heat(used, { within30Days: row.d30, within90Days: row.d90 }, now);
}

/** Runs in the thread: computes the risk of memories that were not used for long. */
export function readRisks(connection: Connection, where: Where & { readonly cap: number }): Risks {
  const { sql, values } = inPlace(where);
  const { nowS, cap } = where;
  const [live = { n: 0 }] = connection.all<{ n: number }>(
    `SELECT count(*) AS n FROM memories m WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${sql}`,
    ...values,
  );
  // An imported memory could not be used here before: it counts as used when it came.
  const rows = connection.all<UseRow & { id: number; layer: Layer; known_at: number | null }>(
    `SELECT m.id, m.layer, m.known_at, ${USE_COLUMNS} FROM memories m
     WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${NO_SUMMARY}
       AND max(coalesce(m.last_accessed_at, m.created_at), coalesce(m.known_at, 0)) < ? AND ${sql}`,
    ...useSince(nowS),
    nowS - NEVER_AT_RISK_DAYS * DAY_S,
    ...values,
  );
  const without = new Set(where.without);
  const now = toDate(nowS);
  const judged = rows.flatMap((row) => {
    if (without.has(row.id)) return [];
    const usedAtS = row.last_accessed_at ?? row.created_at;
    const lastAccessedAt = toDate(Math.max(usedAtS, row.known_at ?? 0));
    const value = risk({ ...row, createdAt: toDate(row.created_at), lastAccessedAt }, heatOf(row, now), now);
    return [{ id: row.id, usedAtS, value, verdict: riskVerdict(value) }];
  });
  const drops = judged.filter(({ verdict }) => verdict === "drop").sort((a, b) => b.value - a.value || a.id - b.id);
  return {
    scanned: live.n,
    toDrop: drops.length,
    toCompress: judged.filter(({ verdict }) => verdict === "compress").length,
    drops: drops.slice(0, cap).map(({ id, usedAtS }) => ({ id, usedAtS })),
  };
}

export async function forgettingPlan(sweeper: Sweeper, where: Where, cap: number): Promise<ForgettingPlan> {
  const { scanned, toDrop, toCompress, drops } = await sweeper.thread.ask("forgetting", { ...where, cap });
  const usedAt = new Map(drops.map(({ id, usedAtS }) => [id, usedAtS]));
  const archives = [...usedAt.keys()];
  return {
    scanned,
    due: drops.length,
    archives,
    toDrop,
    toCompress,
    hasMore: toDrop > drops.length,
    ...(toDrop > drops.length ? { note: `${toDrop - drops.length} more wait for the next run` } : {}),
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
