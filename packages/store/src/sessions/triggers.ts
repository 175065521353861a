import type { Reach, Space } from "@chest/core/access";
import type { StoredTrigger, TriggerReads, TriggerWrites } from "@chest/core/ports";
import { isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { PROJECT_OF_KEY, spellingsOf } from "../database/places.ts";
import type { Transaction } from "../database/transaction.ts";

const sqlOf = statements((d) => ({
  // Without this hint SQLite chooses the larger `memories_listed` and scans every row.
  all: `SELECT m.id AS "memoryId", m.importance, m."trigger" AS condition FROM memories m${d.indexedBy("memories_triggers")}
    WHERE ${d.isOneOf("m.space")} AND m."trigger" IS NOT NULL AND m.archived_at IS NULL AND ${isUnexpired("m")}
    ORDER BY m.importance DESC, m.id DESC`,
  ofOne: `SELECT m."trigger" AS condition FROM memories m WHERE m.id = ? AND ${d.isOneOf("m.space")}`,
  keys: `WITH named AS (SELECT ${PROJECT_OF_KEY} AS id)
    SELECT p.key FROM projects p JOIN named ON named.id = p.id WHERE ${d.isOneOf("'p' || p.id")}
    UNION SELECT a.key FROM project_aliases a JOIN named ON named.id = a.project_id WHERE ${d.isOneOf("'p' || a.project_id")}`,
}));

/** Triggers of the memories that a caller may open. */
export const triggerReads = (
  connection: Reading,
  spacesIn: (reach: Reach) => Promise<readonly Space[]>,
  now: () => number,
): TriggerReads => ({
  all: async (reach) =>
    (await connection.all<StoredTrigger>(sqlOf(connection.dialect).all, await spacesIn(reach), now())).map((row) => ({
      ...row,
    })),
  async of(id) {
    const row = await connection.get<{ condition: string | null }>(
      sqlOf(connection.dialect).ofOne,
      id,
      await spacesIn("everywhere"),
    );
    return row?.condition ?? undefined;
  },
  async keysOf(key) {
    const open = await spacesIn("everywhere");
    return (await connection.all<{ key: string }>(sqlOf(connection.dialect).keys, ...spellingsOf(key), open, open)).map(
      (row) => row.key,
    );
  },
});

export const triggerWrites = ({ connection }: Transaction): TriggerWrites => ({
  async set({ id }, condition) {
    connection.later('UPDATE memories SET "trigger" = ? WHERE id = ?', condition ?? null, id);
  },
});
