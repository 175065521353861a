import { isWorthless, type Memory, type Plan, type PruneLimits } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { cappedPlan } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

export interface Prunable {
  readonly scanned: number;
  /** The least sure first. */
  readonly ids: readonly number[];
}

/** Runs in the thread: finds memories that are long unused, unsure and unimportant. */
export function readPrunable(connection: Connection, where: Where & PruneLimits): Prunable {
  const { sql, values } = inPlace(where);
  const { nowS, unusedDays, below, importanceBelow } = where;
  const without = new Set(where.without);
  const rows = connection.all<{ id: number; is_due: number }>(
    `SELECT m.id, m.confidence < ? AND m.importance < ?
         AND max(coalesce(m.last_accessed_at, m.created_at), coalesce(m.known_at, 0)) <= ? AS is_due
     FROM memories m WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.confidence, m.id`,
    below,
    importanceBelow,
    nowS - unusedDays * DAY_S,
    ...values,
  );
  return { scanned: rows.length, ids: rows.flatMap(({ id, is_due }) => (is_due && !without.has(id) ? [id] : [])) };
}

export async function prunePlan(sweeper: Sweeper, where: Where, limits: PruneLimits, cap: number): Promise<Plan> {
  const found = await sweeper.thread.ask("prune", { ...where, ...limits });
  const now = sweeper.clock.now();
  const isStillDue = (memory: Memory) => isWorthless(memory, limits, now);
  return cappedPlan(sweeper, found, cap, { pass: "prune", reason: "dropped", isStillDue });
}
