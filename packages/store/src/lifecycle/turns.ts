import { outlivedTurns } from "@chest/core/conversation";
import type { Plan, TurnRetention } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/rows.ts";
import { archivingPlan, type DueIds } from "./archiving.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

interface TurnRow {
  readonly id: number;
  readonly space: string;
  readonly created_at: number;
  readonly conv_score: number;
}

/** Finds conversation turns to archive, by space. */
export async function readOutlivedTurns(connection: Reading, where: Where & TurnRetention): Promise<DueIds> {
  const { sql, values } = inPlace(connection.dialect, where);
  const rows = await connection.all<TurnRow>(
    `SELECT m.id, m.space, m.created_at, m.conv_score FROM memories m
     WHERE m.conversation_id IS NOT NULL AND m.archived_at IS NULL AND ${sql}`,
    ...values,
  );
  const without = new Set(where.without);
  const now = toDate(where.nowS);
  const ids: number[] = [];
  for (const here of Map.groupBy(rows, ({ space }) => space).values()) {
    const turns = here.map((row) => ({ id: row.id, at: toDate(row.created_at), score: row.conv_score }));
    for (const { id } of outlivedTurns(turns, where, now)) if (!without.has(id)) ids.push(id);
  }
  return { scanned: rows.length, ids: ids.sort((a, b) => a - b) };
}

export async function turnsPlan(sweeper: Sweeper, where: Where, kept: TurnRetention): Promise<Plan> {
  const found = await sweeper.ask("conversations", { ...where, ...kept });
  const archiving = { pass: "conversations", reason: "expired", isStillDue: () => true } as const;
  return archivingPlan(sweeper, found, found.ids.length, archiving);
}
