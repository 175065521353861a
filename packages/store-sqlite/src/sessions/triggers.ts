import type { Reach, Space, TriggerReads, TriggerWrites } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import type { Transaction } from "../database/transaction.ts";

const ALL = `SELECT m.id AS memoryId, m.importance, m."trigger" AS condition FROM memories m
  WHERE m.space IN (SELECT value FROM json_each(?)) AND m."trigger" IS NOT NULL AND m.archived_at IS NULL
  ORDER BY m.importance DESC, m.id DESC`;

const OF_ONE = `SELECT "trigger" AS condition FROM memories
  WHERE id = ? AND space IN (SELECT value FROM json_each(?))`;

/** Conditions of the memories that a caller may open. */
export const triggerReads = (connection: Reading, spaces: (reach: Reach) => readonly Space[]): TriggerReads => ({
  all: async (reach) => connection.all(ALL, JSON.stringify(spaces(reach))),
  of: async (id) =>
    connection.get<{ condition: string | null }>(OF_ONE, id, JSON.stringify(spaces("everywhere")))?.condition ??
    undefined,
});

export const triggerWrites = ({ connection }: Transaction): TriggerWrites => ({
  async set({ id }, condition) {
    connection.run('UPDATE memories SET "trigger" = ? WHERE id = ?', condition ?? null, id);
  },
});
