import { isExpired, type Memory, NEVER_AT_RISK_DAYS, type Plan } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { archivingPlan, type DueIds } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

/** Finds expired memories. Imported ones are spared for a while, unless their expiry is explicit. */
export async function readExpired(connection: Reading, where: Where): Promise<DueIds> {
  const { sql, values } = inPlace(connection.dialect, where);
  const without = new Set(where.without);
  const rows = await connection.all<{ id: number; is_over: number | boolean }>(
    `SELECT m.id, m.expires_at <= ? AND (m.expires_explicit OR coalesce(m.known_at, 0) < ?) AS is_over FROM memories m
     WHERE m.archived_at IS NULL AND m.expires_at IS NOT NULL AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}
     ORDER BY m.expires_at, m.id`,
    where.nowS,
    where.nowS - NEVER_AT_RISK_DAYS * DAY_S,
    ...values,
  );
  return { scanned: rows.length, ids: rows.flatMap(({ id, is_over }) => (is_over && !without.has(id) ? [id] : [])) };
}

export async function expiryPlan(sweeper: Sweeper, where: Where, cap: number): Promise<Plan> {
  const found = await sweeper.ask("expiry", where);
  const now = sweeper.clock.now();
  const isStillDue = (memory: Memory) => isExpired(memory, now);
  return archivingPlan(sweeper, found, cap, { pass: "expiry", reason: "expired", isStillDue });
}
