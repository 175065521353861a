import type { Filter, Memory, MemoryRows, Reach, Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";
import { readIdentities } from "../embedding/identities.ts";
import type { PendingCounts } from "../embedding/pending-embeddings.ts";
import { condition } from "../word-search/filter-sql.ts";
import { accessesOf } from "./access-stats.ts";

const SPACES = "SELECT id, space FROM memories WHERE id IN (SELECT value FROM json_each(?))";
const CONTENT = "SELECT content, space FROM memories WHERE id = ?";
const BY_IDS = `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id IN (SELECT value FROM json_each(?))`;

// A list of spaces keeps its identity while nothing changes: see `Projects`.
const sets = new WeakMap<readonly Space[], ReadonlySet<Space>>();

function setOf(spaces: readonly Space[]): ReadonlySet<Space> {
  const known = sets.get(spaces);
  if (known) return known;
  const set = new Set(spaces);
  sets.set(spaces, set);
  return set;
}

/** Memories as one caller may read them, over a connection that sees what is committed, or the writer's own. */
export function memoryReads(
  connection: Reading,
  spaces: (reach: Reach) => readonly Space[],
  pendingCounts: PendingCounts,
): MemoryRows {
  // For rows that are named by id: SQLite would read a long list of spaces anew for each statement.
  function visible<T extends { readonly space: Space }>(rows: readonly T[], reach: Reach = "everywhere"): T[] {
    const open = setOf(spaces(reach));
    return rows.filter(({ space }) => open.has(space));
  }
  return {
    async byId(id) {
      const [row] = visible(connection.all<MemoryRow>(BY_IDS, JSON.stringify([id])));
      return row && toMemory(row);
    },
    async contentOf(id) {
      const [row] = visible(connection.all<{ content: string; space: Space }>(CONTENT, id));
      return row?.content;
    },
    async byIds(ids, reach) {
      if (ids.length === 0) return [];
      const rows = visible(connection.all<MemoryRow>(BY_IDS, JSON.stringify(ids)), reach);
      return ordered(rows, ids);
    },
    async newest(where: Filter, limit) {
      const { sql, values } = condition(where, spaces(where.reach));
      // Ids alone are found along the index and end with the limit; whole rows in one query would all be sorted first.
      const ids = connection.ids(
        `SELECT m.id FROM memories m WHERE ${sql} ORDER BY m.created_at DESC, m.id DESC LIMIT ?`,
        ...values,
        limit,
      );
      return ordered(connection.all<MemoryRow>(BY_IDS, JSON.stringify(ids)), ids);
    },
    async accesses(ids, now, earlier) {
      const open = visible(connection.all<{ id: number; space: Space }>(SPACES, JSON.stringify(ids)));
      return accessesOf(
        open.map(({ id }) => id),
        connection,
        now,
        earlier,
      );
    },
    countPending: (reach, identity) =>
      pendingCounts.count(spaces(reach), { identity, active: readIdentities(connection).active }),
  };
}

/** Rows as memories in the order of their ids, each once. */
function ordered(rows: readonly MemoryRow[], ids: readonly number[]): Memory[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => {
    const row = byId.get(id);
    return row ? [toMemory(row)] : [];
  });
}
