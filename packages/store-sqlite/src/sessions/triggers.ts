import type { Reach, Space, TriggerReads, TriggerWrites } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import type { Transaction } from "../writing/transaction.ts";

// Left to itself SQLite takes the larger `memories_listed`, and then every row.
const ALL = `SELECT m.id AS memoryId, m.importance, m."trigger" AS condition FROM memories m INDEXED BY memories_triggers
  WHERE m.space IN (SELECT value FROM json_each(?)) AND m."trigger" IS NOT NULL AND m.archived_at IS NULL
  ORDER BY m.importance DESC, m.id DESC`;

const OF_ONE = `SELECT "trigger" AS condition FROM memories
  WHERE id = ? AND space IN (SELECT value FROM json_each(?))`;

const KEYS = `WITH named AS (
    SELECT id FROM projects WHERE key = ? UNION ALL SELECT project_id FROM project_aliases WHERE key = ?)
  SELECT p.key FROM projects p JOIN named ON named.id = p.id WHERE 'p' || p.id IN (SELECT value FROM json_each(?))
  UNION SELECT a.key FROM project_aliases a JOIN named ON named.id = a.project_id WHERE 'p' || a.project_id IN (SELECT value FROM json_each(?))`;

/** Conditions of the memories that a caller may open. */
export const triggerReads = (connection: Reading, spaces: (reach: Reach) => readonly Space[]): TriggerReads => ({
  all: async (reach) => connection.all(ALL, JSON.stringify(spaces(reach))),
  of: async (id) =>
    connection.get<{ condition: string | null }>(OF_ONE, id, JSON.stringify(spaces("everywhere")))?.condition ??
    undefined,
  async keysOf(key) {
    const open = JSON.stringify(spaces("everywhere"));
    return connection.all<{ key: string }>(KEYS, key, key, open, open).map((row) => row.key);
  },
});

export const triggerWrites = ({ sync: connection }: Transaction): TriggerWrites => ({
  async set({ id }, condition) {
    connection.run('UPDATE memories SET "trigger" = ? WHERE id = ?', condition ?? null, id);
  },
});
