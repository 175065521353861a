import { isWorthless } from "@chest/core/lifecycle";
import type { Memory } from "@chest/core/memory";
import type { Plan, PruneLimits } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { archivingPlan, type DueIds } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** Finds memories that are long unused, uncertain and unimportant, the least certain first. */
export async function readPrunable(connection: Reading, where: Where & PruneLimits): Promise<DueIds> {
  const d = connection.dialect;
  const { sql, values } = inPlace(d, where);
  const { nowS, unusedDays, below, importanceBelow } = where;
  const without = new Set(where.without);
  const rows = await connection.all<{ id: number; is_due: number | boolean }>(
    `SELECT m.id, m.confidence < ? AND m.importance < ?
         AND ${d.greatest("coalesce(m.last_accessed_at, m.created_at)", "coalesce(m.known_at, 0)")} <= ? AS is_due
     FROM memories m WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.confidence, m.id`,
    below,
    importanceBelow,
    Math.floor(nowS - unusedDays * DAY_S),
    ...values,
  );
  return { scanned: rows.length, ids: rows.flatMap(({ id, is_due }) => (is_due && !without.has(id) ? [id] : [])) };
}

export async function prunePlan(sweeper: Sweeper, where: Where, limits: PruneLimits, cap: number): Promise<Plan> {
  const found = await sweeper.ask("prune", { ...where, ...limits });
  const now = sweeper.clock.now();
  const isStillDue = (memory: Memory) => isWorthless(memory, limits, now);
  return archivingPlan(sweeper, found, cap, { pass: "prune", reason: "dropped", isStillDue });
}
