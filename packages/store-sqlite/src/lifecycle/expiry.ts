import { isExpired, type Plan } from "@chest/core";
import type { Connection } from "../connection.ts";
import { archiveAll } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED } from "./place.ts";
import type { Where } from "./questions.ts";
import type { Sweeper } from "./sweeper.ts";

export interface Due {
  readonly scanned: number;
  readonly ids: readonly number[];
}

/** In the thread: what has outlived its time. */
export function readExpired(connection: Connection, where: Where): Due {
  const { sql, values } = inPlace(where);
  const without = new Set(where.without);
  const rows = connection.all<{ id: number; is_over: number }>(
    `SELECT m.id, m.expires_at <= ? AS is_over FROM memories m
     WHERE m.archived_at IS NULL AND m.expires_at IS NOT NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.expires_at, m.id`,
    where.nowS,
    ...values,
  );
  return { scanned: rows.length, ids: rows.flatMap(({ id, is_over }) => (is_over && !without.has(id) ? [id] : [])) };
}

export async function expiryPlan(sweeper: Sweeper, where: Where, cap: number): Promise<Plan> {
  const { scanned, ids: over } = await sweeper.thread.ask("expiry", where);
  const ids = over.slice(0, cap);
  const waiting = over.length - ids.length;
  const now = sweeper.clock.now();
  return {
    ...{ scanned, due: ids.length, archives: ids, hasMore: waiting > 0 },
    ...(waiting > 0 ? { note: `${waiting} more wait for the next run` } : {}),
    apply: (doing) =>
      archiveAll(
        sweeper,
        ids,
        { pass: "expiry", reason: "expired", isStillDue: (memory) => isExpired(memory, now) },
        doing,
      ),
  };
}
