import type { Space } from "@chest/core/access";
import type { Memory } from "@chest/core/memory";
import type { MemoryReads } from "@chest/core/ports";
import { condition, type DatedFilter } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory, toSeconds } from "../database/rows.ts";

interface Around {
  readonly anchor: Pick<Memory, "id" | "createdAt">;
  readonly most: { readonly before: number; readonly after: number };
  readonly where: DatedFilter;
  readonly spaces: readonly Space[];
}

/** Memories before and after one in order of time. */
export async function around(
  connection: Reading,
  { anchor, most, where, spaces }: Around,
): ReturnType<MemoryReads["around"]> {
  const { sql, values } = condition(connection.dialect, where, spaces);
  const at = toSeconds(anchor.createdAt);
  const side = async (than: "<" | ">", order: "ASC" | "DESC", limit: number): Promise<Memory[]> => {
    // Whole rows are fetched for these only.
    const rows = await connection.all<MemoryRow>(
      `WITH side AS (
         SELECT m.id FROM memories m WHERE ${sql} AND (m.created_at, m.id) ${than} (?, ?)
         ORDER BY m.created_at ${order}, m.id ${order} LIMIT ?)
       SELECT ${memoryColumns(connection.dialect)} ${MEMORY_FROM} JOIN side ON side.id = m.id ORDER BY m.created_at, m.id`,
      ...values,
      at,
      anchor.id,
      limit,
    );
    return rows.map(toMemory);
  };
  const [before, after] = await Promise.all([side("<", "DESC", most.before), side(">", "ASC", most.after)]);
  return { before, after };
}

const sqlOf = statements((d) => ({
  activity: `SELECT ${d.day("m.created_at")} AS day, count(*) AS memories
    FROM memories m WHERE ${d.isOneOf("m.space")} AND m.archived_at IS NULL AND m.created_at >= ? GROUP BY day ORDER BY day`,
  openings: `SELECT ${d.day("l.accessed_at")} AS day, count(*) AS openings
    FROM memory_access_log l JOIN memories m ON m.id = l.memory_id
    WHERE ${d.isOneOf("m.space")} AND m.archived_at IS NULL AND l.accessed_at >= ? GROUP BY day ORDER BY day`,
}));

/** Counts live memories by UTC day of creation. */
export const activity = (connection: Reading, spaces: readonly Space[], since: Date) =>
  connection.all<{ readonly day: string; readonly memories: number }>(
    sqlOf(connection.dialect).activity,
    spaces,
    toSeconds(since),
  );

/** Counts openings of live memories by the day of UTC. */
export const openings = (connection: Reading, spaces: readonly Space[], since: Date) =>
  connection.all<{ readonly day: string; readonly openings: number }>(
    sqlOf(connection.dialect).openings,
    spaces,
    toSeconds(since),
  );
