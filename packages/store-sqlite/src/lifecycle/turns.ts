import { outlivedTurns, type Plan, type TurnsKept } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import { archiveAll } from "./archiving.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

export interface OutlivedTurns {
  readonly scanned: number;
  readonly ids: readonly number[];
}

interface TurnRow {
  readonly id: number;
  readonly space: string;
  readonly created_at: number;
  readonly conv_score: number;
}

/** Runs in the thread: finds turns of conversations to archive, space by space. */
export function readOutlivedTurns(connection: Connection, where: Where & TurnsKept): OutlivedTurns {
  const { sql, values } = inPlace(where);
  const rows = connection.all<TurnRow>(
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

export async function turnsPlan(sweeper: Sweeper, where: Where, kept: TurnsKept): Promise<Plan> {
  const { scanned, ids } = await sweeper.thread.ask("conversations", { ...where, ...kept });
  return {
    scanned,
    due: ids.length,
    archives: ids,
    hasMore: false,
    apply: (doing) =>
      archiveAll(sweeper, ids, { pass: "conversations", reason: "expired", isStillDue: () => true }, doing),
  };
}
