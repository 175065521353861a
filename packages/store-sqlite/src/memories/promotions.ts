import {
  type Caller,
  isReviewer,
  type PromotionReads,
  type PromotionWrites,
  placesOf,
  type Reach,
  type Space,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";
import { keepVersion } from "./memory-writes.ts";

const WAITING = `m.requested_visibility IS NOT NULL AND m.archived_at IS NULL AND (? OR m.author_id = ?)
  AND (m.project_id IN (SELECT value FROM json_each(?)) OR (? AND m.project_id IS NULL))`;

const placed = (caller: Caller, spaces: readonly Space[]) => {
  const { projectIds, isAtLarge } = placesOf(spaces);
  return [Number(isReviewer(caller)), caller.member.id, JSON.stringify(projectIds), Number(isAtLarge)] as const;
};

export function promotionReads(
  connection: Reading,
  caller: Caller,
  spaces: (reach: Reach) => readonly Space[],
): PromotionReads {
  return {
    async waiting({ reach, limit, offset }) {
      const where = placed(caller, spaces(reach));
      const total = connection.get<{ n: number }>(`SELECT count(*) AS n FROM memories m WHERE ${WAITING}`, ...where)?.n;
      const rows = connection.all<MemoryRow>(
        `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE ${WAITING} ORDER BY m.created_at, m.id LIMIT ? OFFSET ?`,
        ...where,
        limit,
        offset,
      );
      return { total: total ?? 0, memories: rows.map(toMemory) };
    },
  };
}

export function promotionWrites(tx: Transaction, spaces: (reach: Reach) => readonly Space[]): PromotionWrites {
  const { sync: connection, caller } = tx;
  const put = (requested: "team" | null, id: number) =>
    connection.run("UPDATE memories SET requested_visibility = ? WHERE id = ?", requested, id);
  return {
    async byId(id) {
      const row = connection.get<MemoryRow>(
        `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id = ? AND ${WAITING}`,
        id,
        ...placed(caller, spaces("everywhere")),
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
