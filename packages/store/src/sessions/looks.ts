import type { Member } from "@chest/core/access";
import type { HomeWrites } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { toDateIfAny, toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

/** Time at which a member last marked the news as seen; undefined for never. */
export async function lookedAt(connection: Reading, { id }: Pick<Member, "id">): Promise<Date | undefined> {
  const row = await connection.get<{ looked_at: number | null }>("SELECT looked_at FROM members WHERE id = ?", id);
  return toDateIfAny(row?.looked_at ?? null);
}

const LOOK = "UPDATE members SET looked_at = ? WHERE id = ? AND coalesce(looked_at, 0) < ?";

export const lookWrites = ({ connection, caller }: Transaction): HomeWrites => ({
  async look(at) {
    connection.later(LOOK, toSeconds(at), caller.member.id, toSeconds(at));
  },
});
