import { isWorthless, type Plan, type PruneLimits } from "@chest/core";
import { archiveAll } from "./archiving.ts";
import { waitingNote } from "./fading.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** Archives memories that are long unused, unsure and unimportant: the least sure first. */
export async function prunePlan(sweeper: Sweeper, where: Where, limits: PruneLimits, cap: number): Promise<Plan> {
  const { sql, values } = inPlace(where);
  const { unusedDays, below, importanceBelow } = limits;
  const rows = await sweeper.reader.all<{ id: number; is_due: boolean }>(
    `SELECT m.id, m.confidence < ?::float8 AND m.importance < ?::float8
         AND greatest(coalesce(m.last_accessed_at, m.created_at), coalesce(m.known_at, 0)) <= ? AS is_due
     FROM memories m WHERE m.archived_at IS NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.confidence, m.id`,
    below,
    importanceBelow,
    Math.floor(where.nowS - unusedDays * DAY_S),
    ...values,
  );
  const without = new Set(where.without);
  const due = rows.flatMap(({ id, is_due }) => (is_due && !without.has(id) ? [id] : []));
  const ids = due.slice(0, cap);
  const waiting = due.length - ids.length;
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
        { pass: "prune", reason: "dropped", isStillDue: (memory) => isWorthless(memory, limits, now) },
        doing,
      ),
  };
}
