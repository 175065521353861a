import type { StoredTrigger, TriggerReads, TriggerWrites } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import type { Transaction } from "../database/transaction.ts";
import type { SpacesIn } from "../memories/memory-reads.ts";
import { inSpaces } from "../search/condition.ts";

const ALL = `SELECT m.id AS "memoryId", m.importance, m."trigger" AS condition FROM memories m
  WHERE ${inSpaces([]).sql} AND m."trigger" IS NOT NULL AND m.archived_at IS NULL ORDER BY m.importance DESC, m.id DESC`;

const OF_ONE = `SELECT m."trigger" AS condition FROM memories m WHERE m.id = ? AND ${inSpaces([]).sql}`;

const KEYS = `WITH named AS (
    SELECT id FROM projects WHERE key = ? UNION ALL SELECT project_id FROM project_aliases WHERE key = ?)
  SELECT p.key FROM projects p JOIN named ON named.id = p.id WHERE 'p' || p.id = ANY (?)
  UNION SELECT a.key FROM project_aliases a JOIN named ON named.id = a.project_id WHERE 'p' || a.project_id = ANY (?)`;

/** Conditions of the memories that a caller may open. */
export const triggerReads = (connection: Reading, spacesIn: SpacesIn): TriggerReads => ({
  all: async (reach) => (await connection.all<StoredTrigger>(ALL, await spacesIn(reach))).map((row) => ({ ...row })),
  async of(id) {
    const row = await connection.get<{ condition: string | null }>(OF_ONE, id, await spacesIn("everywhere"));
    return row?.condition ?? undefined;
  },
  async keysOf(key) {
    const open = await spacesIn("everywhere");
    return (await connection.all<{ key: string }>(KEYS, key, key, open, open)).map((row) => row.key);
  },
});

export const triggerWrites = ({ connection }: Transaction): TriggerWrites => ({
  async set({ id }, condition) {
    connection.later('UPDATE memories SET "trigger" = ? WHERE id = ?', condition ?? null, id);
  },
});
