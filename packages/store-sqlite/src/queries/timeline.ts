import type { Filter, Memory, MemoryReads, Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory, toSeconds } from "../database/row-mapping.ts";
import { condition } from "../word-search/filter-sql.ts";

interface Around {
  readonly anchor: Pick<Memory, "id" | "createdAt">;
  readonly most: { readonly before: number; readonly after: number };
  readonly where: Omit<Filter, "reach">;
  readonly spaces: readonly Space[];
}

/** Memories next to one in order of time. */
export function around(
  connection: Reading,
  { anchor, most, where, spaces }: Around,
): Awaited<ReturnType<MemoryReads["around"]>> {
  const { sql, values } = condition(where, spaces);
  const at = toSeconds(anchor.createdAt);
  const side = (than: "<" | ">", order: "ASC" | "DESC", limit: number): Memory[] => {
    const ids = connection.ids(
      `SELECT m.id FROM memories m WHERE ${sql} AND (m.created_at, m.id) ${than} (?, ?)
       ORDER BY m.created_at ${order}, m.id ${order} LIMIT ?`,
      ...values,
      at,
      anchor.id,
      limit,
    );
    const rows = connection.all<MemoryRow>(
      `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.created_at, m.id`,
      JSON.stringify(ids),
    );
    return rows.map(toMemory);
  };
  return { before: side("<", "DESC", most.before), after: side(">", "ASC", most.after) };
}

/** Live memories by the day of UTC on which they were made. */
export const activity = (connection: Reading, spaces: readonly Space[], since: Date) =>
  connection.all<{ readonly day: string; readonly memories: number }>(
    `SELECT date(created_at, 'unixepoch') AS day, count(*) AS memories FROM memories
     WHERE space IN (SELECT value FROM json_each(?)) AND archived_at IS NULL AND created_at >= ? GROUP BY day ORDER BY day`,
    JSON.stringify(spaces),
    toSeconds(since),
  );

/** Openings of live memories by the day of UTC. */
export const openings = (connection: Reading, spaces: readonly Space[], since: Date) =>
  connection.all<{ readonly day: string; readonly openings: number }>(
    `SELECT date(l.accessed_at, 'unixepoch') AS day, count(*) AS openings FROM memory_access_log l
     JOIN memories m ON m.id = l.memory_id
     WHERE m.space IN (SELECT value FROM json_each(?)) AND m.archived_at IS NULL AND l.accessed_at >= ? GROUP BY day ORDER BY day`,
    JSON.stringify(spaces),
    toSeconds(since),
  );
