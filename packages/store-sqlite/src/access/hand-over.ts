import { type ScopedRow, scopeOfRow } from "@chest/store/database/rows";
import { changeTextRow } from "../full-text/text-rows.ts";
import { moveEntities } from "../memories/merge-entities.ts";
import type { Transaction } from "../writing/transaction.ts";

/** Makes what is one member's alone another's, in the same projects; each memory keeps a version that says whose it was. */
export function handOver(tx: Transaction, fromId: number, toId: number): number {
  const { sync: connection, caller, nowS } = tx;
  const isTheirs = (column: string) => `(${column} = 'm${fromId}' OR ${column} GLOB 'm${fromId}p*')`;
  const moved = (column: string) => `'m${toId}' || substr(${column}, ${`m${fromId}`.length + 1})`;
  connection.run(
    `INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at)
     SELECT m.id, m.version, json_object('content', m.content, 'layer', m.layer, 'importance', m.importance,
         'visibility', m.visibility, 'tags', (SELECT json_group_array(tag) FROM memory_tags t WHERE t.memory_id = m.id)),
       'hand_over', 'was the own of ' || a.name, ?, ?
     FROM memories m JOIN members a ON a.id = m.author_id WHERE ${isTheirs("m.space")}`,
    caller.member.id,
    nowS,
  );
  moveEntities(connection, isTheirs("space"), moved("space"));
  // A name that the other one has used there stays with it.
  connection.run(
    `UPDATE memories SET name = NULL WHERE ${isTheirs("space")} AND name IS NOT NULL AND EXISTS (
       SELECT 1 FROM memories o WHERE o.space = ${moved("memories.space")} AND o.name = memories.name AND o.archived_at IS NULL)`,
  );
  const rows = connection.all<ScopedRow & { id: number }>(
    `UPDATE memories SET space = ${moved("space")}, author_id = ?, version = version + 1, updated_at = ?, edited_at = ?
     WHERE ${isTheirs("space")} RETURNING id, space, archived_at, superseded_by_id`,
    toId,
    nowS,
    nowS,
  );
  for (const row of rows) changeTextRow(tx, row.id, { scope: scopeOfRow(row) });
  connection.run(`UPDATE session_file_edits SET space = ${moved("space")} WHERE ${isTheirs("space")}`);
  tx.audit("member.hand-over", { memoryIds: rows.map(({ id }) => id), subject: `member:${fromId}` });
  return rows.length;
}
