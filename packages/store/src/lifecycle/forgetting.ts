import { heat, NEVER_AT_RISK_DAYS, risk, riskVerdict } from "@chest/core/lifecycle";
import type { Layer, Memory } from "@chest/core/memory";
import type { ForgettingPlan } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { toDate, toDateIfAny, toSeconds } from "../database/rows.ts";
import { archivingPlan } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

interface Risks {
  readonly scanned: number;
  readonly toDrop: number;
  readonly toCompress: number;
  /** The highest risk first, up to the cap; with the time of the last use. */
  readonly drops: readonly { readonly id: number; readonly usedAtS: number }[];
}

/** Use data of a memory, from which its heat is computed. */
export interface UseRow {
  readonly importance: number;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
  readonly access_count: number;
  readonly d30: number;
  readonly d90: number;
}

const USES = `CASE WHEN m.access_count = 0 THEN 0 ELSE
  (SELECT count(*) FROM memory_access_log l WHERE l.memory_id = m.id AND l.accessed_at > ?) END`;

/** Columns of that data for a row of `memories m`; takes the start of the last 30 and 90 days. */
export const USE_COLUMNS = `m.importance, m.created_at, m.last_accessed_at, m.access_count, ${USES} AS d30, ${USES} AS d90`;

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

/** Computes the risk of memories that were not used for long. */
export async function readRisks(connection: Reading, where: Where & { readonly cap: number }): Promise<Risks> {
  const d = connection.dialect;
  const { sql, values } = inPlace(d, where);
  const { nowS, cap } = where;
  // An imported memory could not be used here before, so it counts as used at its import.
  const [live, rows] = await Promise.all([
    connection.get<{ n: number }>(
      `SELECT count(*) AS n FROM memories m WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${sql}`,
      ...values,
    ),
    connection.all<UseRow & { id: number; layer: Layer; known_at: number | null }>(
      `SELECT m.id, m.layer, m.known_at, ${USE_COLUMNS} FROM memories m
       WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${NO_SUMMARY}
         AND ${d.greatest("coalesce(m.last_accessed_at, m.created_at)", "coalesce(m.known_at, 0)")} < ? AND ${sql}`,
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
  const drops = judged.filter(({ verdict }) => verdict === "drop").sort((a, b) => b.value - a.value || a.id - b.id);
  return {
    scanned: live?.n ?? 0,
    toDrop: drops.length,
    toCompress: judged.filter(({ verdict }) => verdict === "compress").length,
    drops: drops.slice(0, cap).map(({ id, usedAtS }) => ({ id, usedAtS })),
  };
}

export async function forgettingPlan(sweeper: Sweeper, where: Where, cap: number): Promise<ForgettingPlan> {
  const { scanned, toDrop, toCompress, drops } = await sweeper.ask("forgetting", { ...where, cap });
  const usedAt = new Map(drops.map(({ id, usedAtS }) => [id, usedAtS]));
  const isStillDue = ({ id, lastAccessedAt, createdAt }: Memory) =>
    toSeconds(lastAccessedAt ?? createdAt) === usedAt.get(id);
  const due = { scanned, ids: [...usedAt.keys()], total: toDrop };
  return {
    ...archivingPlan(sweeper, due, cap, { pass: "forgetting", reason: "dropped", isStillDue }),
    toDrop,
    toCompress,
  };
}
