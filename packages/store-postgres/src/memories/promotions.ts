import { type Caller, isReviewer, type PromotionReads, type PromotionWrites, placesOf, type Space } from "@chest/core";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";
import type { SpacesIn } from "./memory-reads.ts";
import { keepVersion } from "./memory-writes.ts";

const WAITING = `m.requested_visibility IS NOT NULL AND m.archived_at IS NULL AND (?::boolean OR m.author_id = ?)
  AND (m.project_id = ANY (?) OR (?::boolean AND m.project_id IS NULL))`;

const placed = (caller: Caller, spaces: readonly Space[]) => {
  const { projectIds, isAtLarge } = placesOf(spaces);
  return [isReviewer(caller), caller.member.id, projectIds, isAtLarge] as const;
};

export const promotionReads = (connection: Reading, caller: Caller, spacesIn: SpacesIn): PromotionReads => ({
  async waiting({ reach, limit, offset }) {
    const where = placed(caller, await spacesIn(reach));
    const [counted, rows] = await Promise.all([
      connection.get<{ n: number }>(`SELECT count(*) AS n FROM memories m WHERE ${WAITING}`, ...where),
      connection.all<MemoryRow>(
        `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} WHERE ${WAITING} ORDER BY m.created_at, m.id LIMIT ? OFFSET ?`,
        ...where,
        limit,
        offset,
      ),
    ]);
    return { total: counted?.n ?? 0, memories: rows.map(toMemory) };
  },
});

export function promotionWrites(tx: Transaction): PromotionWrites {
  const { connection, caller } = tx;
  const put = (requested: "team" | null, id: number) =>
    connection.later("UPDATE memories SET requested_visibility = ? WHERE id = ?", requested, id);
  return {
    async byId(id) {
      const row = await connection.get<MemoryRow>(
        `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} WHERE m.id = ? AND ${WAITING} FOR UPDATE OF m`,
        id,
        ...placed(caller, await tx.spacesIn("everywhere")),
      );
      return row && toMemory(row);
    },
    async request(memory, reason) {
      keepVersion(tx, memory, "request", reason);
      put("team", memory.id);
      return { ...memory, requestedVisibility: "team", version: memory.version + 1, updatedAt: tx.now };
    },
    async decline(memory, reason) {
      keepVersion(tx, memory, "decline", reason);
      put(null, memory.id);
      return { ...memory, requestedVisibility: undefined, version: memory.version + 1, updatedAt: tx.now };
    },
  };
}
