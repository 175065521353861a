import { type Caller, isReviewer, placesOf, type Space } from "@chest/core/access";
import type { Memory } from "@chest/core/memory";
import type { PromotionReads, PromotionWrites } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { isInPart } from "../database/inbox-items.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";
import type { SpacesIn } from "../database/spaces.ts";
import type { Transaction } from "../database/transaction.ts";
import { keepVersion } from "./versions.ts";

const sqlOf = statements((d) => {
  const waiting = `m.requested_visibility IS NOT NULL AND m.archived_at IS NULL AND (CAST(? AS boolean) OR m.author_id = ?)
    AND (${d.isOneOf("m.project_id")} OR (CAST(? AS boolean) AND m.project_id IS NULL))`;
  const rows = `SELECT ${memoryColumns(d)} ${MEMORY_FROM} WHERE`;
  return {
    count: `SELECT count(*) AS n FROM memories m WHERE ${waiting}`,
    list: `${rows} ${waiting}`,
    one: `${rows} m.id = ? AND ${waiting}`,
    held: `${rows} m.id = ? AND ${waiting} ${d.forUpdateOf("m")}`,
  };
});

const placed = (caller: Caller, spaces: readonly Space[]) => {
  const { projectIds, isAtLarge } = placesOf(spaces);
  return [isReviewer(caller), caller.member.id, projectIds, isAtLarge] as const;
};

const IN_ORDER = "ORDER BY m.created_at, m.id LIMIT ? OFFSET ?";

export const promotionReads = (
  connection: Reading,
  caller: Caller,
  { spacesIn, now }: { readonly spacesIn: SpacesIn; readonly now: () => number },
): PromotionReads => ({
  async waiting({ reach, part, limit, offset }) {
    const inPart = part && isInPart("promotions", { part, member: caller.member.id, nowS: now() }, ["m.id", "m.id"]);
    const also = inPart === undefined ? "" : ` AND ${inPart.sql}`;
    const where = [...placed(caller, await spacesIn(reach)), ...(inPart?.values ?? [])];
    const { count, list } = sqlOf(connection.dialect);
    const [counted, rows] = await Promise.all([
      connection.get<{ n: number }>(`${count}${also}`, ...where),
      connection.all<MemoryRow>(`${list}${also} ${IN_ORDER}`, ...where, limit, offset),
    ]);
    return { total: counted?.n ?? 0, memories: rows.map(toMemory) };
  },
});

/** A waiting memory that the caller may decide on, or take back; undefined for any other. */
export async function waitingPromotion(
  connection: Reading,
  caller: Caller,
  spaces: readonly Space[],
  id: number,
): Promise<Memory | undefined> {
  const row = await connection.get<MemoryRow>(sqlOf(connection.dialect).one, id, ...placed(caller, spaces));
  return row && toMemory(row);
}

export function promotionWrites(tx: Transaction): PromotionWrites {
  const { connection, caller } = tx;
  const put = (requested: "team" | null, id: number) =>
    connection.later("UPDATE memories SET requested_visibility = ? WHERE id = ?", requested, id);
  return {
    async byId(id) {
      const row = await connection.get<MemoryRow>(
        sqlOf(connection.dialect).held,
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
