import { type ScopedRow, scopeOfRow } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { moveEntities } from "../memories/merge-entities.ts";
import { isOwnOf } from "./access-rows.ts";

/**
 * Hands one member's private memories to another, in the same projects; each gets a version that names its former
 * owner.
 */
export async function handOver(tx: Transaction, fromId: number, toId: number): Promise<number> {
  const { connection, caller, nowS } = tx;
  const d = connection.dialect;
  const isTheirs = (column: string) => isOwnOf(d, fromId, column);
  const moved = (column: string) => `'m${toId}' || substr(${column}, ${`m${fromId}`.length + 1})`;
  await connection.all(`SELECT id FROM memories WHERE ${isTheirs("space")} ORDER BY id ${d.forUpdate}`);
  connection.later(
    `INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at)
     SELECT m.id, m.version, ${d.jsonObject({
       content: "m.content",
       layer: "m.layer",
       importance: "m.importance",
       visibility: "m.visibility",
       tags: d.listOf("tag", "memory_tags t WHERE t.memory_id = m.id"),
     })},
       'hand_over', 'was the own of ' || a.name, ?, ?
     FROM memories m JOIN members a ON a.id = m.author_id WHERE ${isTheirs("m.space")}`,
    caller.member.id,
    nowS,
  );
  await moveEntities(connection, isTheirs("space"), moved("space"));
  // If the new owner already uses a name in that project, the handed-over memory loses it.
  connection.later(
    `UPDATE memories AS m SET name = NULL WHERE ${isTheirs("m.space")} AND name IS NOT NULL AND EXISTS (
       SELECT 1 FROM memories o WHERE o.space = ${moved("m.space")} AND o.name = m.name AND o.archived_at IS NULL)`,
  );
  const rows = await connection.all<ScopedRow & { id: number }>(
    `UPDATE memories SET space = ${moved("space")}, author_id = ?, version = version + 1, updated_at = ?, edited_at = ?
     WHERE ${isTheirs("space")} RETURNING id, space, archived_at, superseded_by_id`,
    toId,
    nowS,
    nowS,
  );
  await tx.texts.move(rows.map((row) => ({ id: row.id, scope: scopeOfRow(row) })));
  connection.later(`UPDATE session_file_edits SET space = ${moved("space")} WHERE ${isTheirs("space")}`);
  connection.later(`UPDATE tombstones SET space = ${moved("space")} WHERE ${isTheirs("space")}`);
  tx.audit("member.hand-over", { memoryIds: rows.map(({ id }) => id), subject: `member:${fromId}` });
  return rows.length;
}
