import { NEVER_AT_RISK_DAYS } from "@chest/core/lifecycle";
import { isExpired, type Memory } from "@chest/core/memory";
import type { Plan } from "@chest/core/ports";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { archivingPlan, type DueIds } from "./archiving.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

export interface ExpiryQuery extends Where {
  /** Lifetime of a session note in days. */
  readonly journalDays: number;
}

/**
 * Finds expired memories, and session notes past their lifetime. Imported ones are spared for a while, unless their
 * expiry is explicit.
 */
export async function readExpired(connection: Reading, where: ExpiryQuery): Promise<DueIds> {
  const { sql, values } = inPlace(connection.dialect, where);
  const without = new Set(where.without);
  const ends = `CASE WHEN ${isOfJournal("m")} THEN coalesce(m.expires_at, m.created_at + ?) ELSE m.expires_at END`;
  const rows = await connection.all<{ id: number; is_over: number | boolean }>(
    `SELECT d.id, d.ends_at <= ? AND (d.expires_explicit OR coalesce(d.known_at, 0) < ?) AS is_over FROM (
       SELECT m.id, m.expires_explicit, m.known_at, ${ends} AS ends_at FROM memories m
       WHERE m.archived_at IS NULL AND (m.expires_at IS NOT NULL OR m.capture_key IS NOT NULL)
         AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}) d
     WHERE d.ends_at IS NOT NULL ORDER BY d.ends_at, d.id`,
    where.nowS,
    where.nowS - NEVER_AT_RISK_DAYS * DAY_S,
    where.journalDays * DAY_S,
    ...values,
  );
  return { scanned: rows.length, ids: rows.flatMap(({ id, is_over }) => (is_over && !without.has(id) ? [id] : [])) };
}

export async function expiryPlan(sweeper: Sweeper, where: ExpiryQuery, cap: number): Promise<Plan> {
  const found = await sweeper.ask("expiry", where);
  const now = sweeper.clock.now();
  // A session note has no expiry of its own until a member turns it into a memory.
  const isStillDue = (memory: Memory) => memory.expiresAt === undefined || isExpired(memory, now);
  return archivingPlan(sweeper, found, cap, { pass: "expiry", reason: "expired", isStillDue });
}
