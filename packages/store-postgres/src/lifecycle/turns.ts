import { outlivedTurns, type Plan, type TurnsKept } from "@chest/core";
import { toDate } from "@chest/store/database/rows";
import { archiveAll } from "./archiving.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

interface TurnRow {
  readonly id: number;
  readonly space: string;
  readonly created_at: number;
  readonly conv_score: number;
}

/** Puts turns of conversations that have served their time out of sight, space by space. */
export async function turnsPlan(sweeper: Sweeper, where: Where, kept: TurnsKept): Promise<Plan> {
  const { sql, values } = inPlace(where);
  const rows = await sweeper.reader.all<TurnRow>(
    `SELECT m.id, m.space, m.created_at, m.conv_score FROM memories m
     WHERE m.conversation_id IS NOT NULL AND m.archived_at IS NULL AND ${sql}`,
    ...values,
  );
  const without = new Set(where.without);
  const now = toDate(where.nowS);
  const ids: number[] = [];
  for (const here of Map.groupBy(rows, ({ space }) => space).values()) {
    const turns = here.map((row) => ({ id: row.id, at: toDate(row.created_at), score: row.conv_score }));
    for (const { id } of outlivedTurns(turns, kept, now)) if (!without.has(id)) ids.push(id);
  }
  ids.sort((a, b) => a - b);
  return {
    scanned: rows.length,
    due: ids.length,
    archives: ids,
    hasMore: false,
    apply: (doing) =>
      archiveAll(sweeper, ids, { pass: "conversations", reason: "expired", isStillDue: () => true }, doing),
  };
}
