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

/** Reads memories in the spaces of one caller, over a connection for committed rows or over the writer's own. */
export function memoryReads(
  connection: Reading,
  spaces: (reach: Reach) => readonly Space[],
  pendingCounts: PendingCounts,
): MemoryRows {
  // Rows named by id are filtered here: SQLite would parse a long list of spaces again for each statement.
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
      // A query for ids alone walks the index and ends at the limit; one for whole rows would sort all of them first.
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

/** Converts rows to memories, each once, in the order of the ids. */
function ordered(rows: readonly MemoryRow[], ids: readonly number[]): Memory[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => {
    const row = byId.get(id);
    return row ? [toMemory(row)] : [];
  });
}
