import type { Filter, Memory, MemoryReads, Space } from "@chest/core";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory, toSeconds } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { condition, inSpaces } from "../search/condition.ts";

interface Around {
  readonly anchor: Pick<Memory, "id" | "createdAt">;
  readonly most: { readonly before: number; readonly after: number };
  readonly where: Omit<Filter, "reach">;
  readonly spaces: readonly Space[];
}

/** Memories next to one in order of time. */
export async function around(
  connection: Reading,
  { anchor, most, where, spaces }: Around,
): ReturnType<MemoryReads["around"]> {
  const { sql, values } = condition(where, spaces);
  const at = toSeconds(anchor.createdAt);
  const side = async (than: "<" | ">", order: "ASC" | "DESC", limit: number): Promise<Memory[]> => {
    // Whole rows are fetched for these only.
    const rows = await connection.all<MemoryRow>(
      `WITH side AS (
         SELECT m.id FROM memories m WHERE ${sql} AND (m.created_at, m.id) ${than} (?, ?)
         ORDER BY m.created_at ${order}, m.id ${order} LIMIT ?)
       SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} JOIN side ON side.id = m.id ORDER BY m.created_at, m.id`,
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

const ACTIVITY = `SELECT to_char(to_timestamp(m.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS memories
  FROM memories m WHERE ${inSpaces([]).sql} AND m.archived_at IS NULL AND m.created_at >= ? GROUP BY day ORDER BY day`;

/** Live memories by the day of UTC on which they were made. */
export const activity = (connection: Reading, spaces: readonly Space[], since: Date) =>
  connection.all<{ readonly day: string; readonly memories: number }>(ACTIVITY, spaces, toSeconds(since));

const OPENINGS = `SELECT to_char(to_timestamp(l.accessed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS openings
  FROM memory_access_log l JOIN memories m ON m.id = l.memory_id
  WHERE ${inSpaces([]).sql} AND m.archived_at IS NULL AND l.accessed_at >= ? GROUP BY day ORDER BY day`;

/** Openings of live memories by the day of UTC. */
export const openings = (connection: Reading, spaces: readonly Space[], since: Date) =>
  connection.all<{ readonly day: string; readonly openings: number }>(OPENINGS, spaces, toSeconds(since));
