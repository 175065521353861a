import type { Condition } from "@chest/store/database/condition";
import type { Reading } from "@chest/store/database/connection";
import { lackingSql, type PendingAsk } from "@chest/store/embedding/lacking";

const ALL: Condition = { sql: "true", values: [] };

/** Ids of the next rows above a cursor, one space at a time, because the index is ordered by id within a space. */
export async function nextPending(
  connection: Reading,
  { lacking, cursor, limit, spaces }: PendingAsk,
  also = ALL,
): Promise<number[]> {
  const { index, sql, values } = lackingSql(connection.dialect, lacking);
  const next = `SELECT m.id FROM memories m${index} WHERE m.space = ? AND m.id > ? AND ${sql} AND ${also.sql}
    ORDER BY m.id LIMIT ?`;
  const ids: number[] = [];
  for (const space of spaces)
    ids.push(...(await connection.ids(next, space, cursor, ...values, ...also.values, limit)));
  return ids.sort((a, b) => a - b).slice(0, limit);
}
