import { isExpired, type Memory, NEVER_AT_RISK_DAYS, type Plan } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { cappedPlan } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

export interface DueExpiry {
  readonly scanned: number;
  readonly ids: readonly number[];
}

/** Runs in the thread: finds expired memories. Imported ones are spared for a while, unless their expiry is explicit. */
export function readExpired(connection: Connection, where: Where): DueExpiry {
  const { sql, values } = inPlace(where);
  const without = new Set(where.without);
  const rows = connection.all<{ id: number; is_over: number }>(
    `SELECT m.id, m.expires_at <= ? AND (m.expires_explicit = 1 OR coalesce(m.known_at, 0) < ?) AS is_over FROM memories m
     WHERE m.archived_at IS NULL AND m.expires_at IS NOT NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.expires_at, m.id`,
    where.nowS,
    where.nowS - NEVER_AT_RISK_DAYS * DAY_S,
    ...values,
  );
  return { scanned: rows.length, ids: rows.flatMap(({ id, is_over }) => (is_over && !without.has(id) ? [id] : [])) };
}

export async function expiryPlan(sweeper: Sweeper, where: Where, cap: number): Promise<Plan> {
  const found = await sweeper.thread.ask("expiry", where);
  const now = sweeper.clock.now();
  const isStillDue = (memory: Memory) => isExpired(memory, now);
  return cappedPlan(sweeper, found, cap, { pass: "expiry", reason: "expired", isStillDue });
}
