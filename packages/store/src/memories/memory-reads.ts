import type { Reach, Space } from "@chest/core/access";
import type { Memory } from "@chest/core/memory";
import type { AccessesTwice, Filter, Identities, MemoryRows } from "@chest/core/ports";
import { condition } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";
import { type SpacesIn, setOf } from "../database/spaces.ts";
import type { PendingCounts } from "../embedding/lacking.ts";

const sqlOf = statements((d) => ({
  hold: `SELECT id FROM memories WHERE ${d.isOneOf("id")} ORDER BY id ${d.forNoKeyUpdate}`,
  byIds: `SELECT ${memoryColumns(d)} ${MEMORY_FROM} WHERE ${d.isOneOf("m.id")}`,
}));

/** Engine-specific reads. */
export interface ReadParts {
  readonly pending: PendingCounts;
  /** Openings of memories in some spaces up to now, and up to an earlier time; memories without any are left out. */
  accesses(
    ids: readonly number[],
    spaces: readonly Space[],
    now: Date,
    earlier: Date,
  ): Promise<ReadonlyMap<number, AccessesTwice>>;
  /** Embedding identities of the store. */
  identities(): Promise<Identities>;
  /** Locks rows that are read by id until the commit, in the order of their ids. */
  readonly isWriting?: boolean | undefined;
  /** Unix seconds. */
  now(): number;
}

/** Memories that one caller may read, over a connection for committed rows or a transaction. */
export function memoryReads(connection: Reading, spacesIn: SpacesIn, parts: ReadParts): MemoryRows {
  const { dialect } = connection;
  const sql = sqlOf(dialect);

  async function visible<T extends { readonly space: Space }>(rows: readonly T[], reach: Reach = "everywhere") {
    const open = setOf(await spacesIn(reach));
    return rows.filter(({ space }) => open.has(space));
  }
  async function rowsOf(ids: readonly number[], reach?: Reach): Promise<MemoryRow[]> {
    // Read after the lock is obtained, so that changes made while waiting are seen.
    const isHeld = parts.isWriting === true && dialect.forNoKeyUpdate !== "";
    const [, rows] = await Promise.all([
      isHeld ? connection.all(sql.hold, ids) : undefined,
      connection.all<MemoryRow>(sql.byIds, ids),
    ]);
    return visible(rows, reach);
  }
  return {
    async byId(id) {
      const [row] = await rowsOf([id]);
      return row && toMemory(row);
    },
    async contentOf(id) {
      const [row, open] = await Promise.all([
        connection.get<{ content: string; space: Space }>("SELECT content, space FROM memories WHERE id = ?", id),
        spacesIn("everywhere"),
      ]);
      return row && setOf(open).has(row.space) ? row.content : undefined;
    },
    async byIds(ids, reach) {
      if (ids.length === 0) return [];
      const byId = new Map((await rowsOf(ids, reach)).map((row) => [row.id, row]));
      return [...new Set(ids)].flatMap((id): Memory[] => {
        const row = byId.get(id);
        return row ? [toMemory(row)] : [];
      });
    },
    async newest(where: Filter, limit) {
      const passing = condition(dialect, { ...where, nowS: parts.now() }, await spacesIn(where.reach));
      // A query for ids uses the index and stops at the limit; one for whole rows would sort all of them.
      const rows = await connection.all<MemoryRow>(
        `WITH page AS MATERIALIZED (
           SELECT m.id FROM memories m WHERE ${passing.sql} ORDER BY m.created_at DESC, m.id DESC LIMIT ?)
         SELECT ${memoryColumns(dialect)} ${MEMORY_FROM} WHERE m.id IN (SELECT id FROM page)
         ORDER BY m.created_at DESC, m.id DESC`,
        ...passing.values,
        limit,
      );
      return rows.map(toMemory);
    },
    accesses: async (ids, now, earlier) => parts.accesses(ids, await spacesIn("everywhere"), now, earlier),
    async countPending(reach, identity) {
      const [spaces, { active }] = await Promise.all([spacesIn(reach), parts.identities()]);
      return parts.pending.count(spaces, { identity, active });
    },
  };
}
