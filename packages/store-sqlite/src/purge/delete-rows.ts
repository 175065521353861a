import { withoutWords } from "@chest/core";
import { archivedIn } from "@chest/store/database/rows";
import { changeTextRow, dropTextRow } from "../full-text/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";

const LISTED = "(SELECT value FROM json_each(?))";

/** Leaves a tombstone, so that neither an import nor a repeat brings the row back. */
const REMEMBER = `INSERT OR IGNORE INTO purged (uid, capture_key, at) SELECT uid, capture_key, ? FROM memories WHERE id IN ${LISTED}`;

/** Deletes memories and all that was written of them. @returns their uids. */
export function erase(tx: Transaction, ids: readonly number[]): string[] {
  const { sync: connection, nowS } = tx;
  const list = JSON.stringify(ids);
  const uids = connection.all<{ uid: string }>(`SELECT uid FROM memories WHERE id IN ${LISTED}`, list);
  const entities = connection.all<{ id: number }>(
    `SELECT DISTINCT entity_id AS id FROM memories WHERE id IN ${LISTED}`,
    list,
  );
  connection.run(REMEMBER, nowS, list);
  for (const id of ids) dropTextRow(tx, id);
  eraseSessionTexts(tx, list);
  // The key stays, so that a late repeat does not write it again; what was asked and answered goes.
  connection.run(
    `UPDATE idempotency SET request_hash = '', answer = '{}' WHERE json_extract(answer, '$.memory_id') IN ${LISTED}`,
    list,
  );
  releasePredecessors(tx, list);
  connection.run(`DELETE FROM memories WHERE id IN ${LISTED}`, list);
  for (const { id } of entities) eraseEntityIfBare(connection, id);
  return uids.map(({ uid }) => uid);
}

const SESSIONS = `SELECT author_id AS member, session_id AS session FROM memories WHERE id IN ${LISTED} AND session_id IS NOT NULL
  UNION SELECT member_id, session_id FROM session_file_edits WHERE memory_id IN ${LISTED}`;
const OF_THESE = "(SELECT value ->> 'member', value ->> 'session' FROM json_each(?))";

/** Removes the transcript text of the rows' sessions: further memories would be made of it. */
function eraseSessionTexts({ sync: connection }: Transaction, list: string): void {
  const sessions = JSON.stringify(connection.all(SESSIONS, list, list));
  connection.run(`DELETE FROM session_snapshots WHERE (member_id, session_id) IN ${OF_THESE}`, sessions);
  connection.run(
    `UPDATE session_file_edits SET context_snippet = NULL WHERE (member_id, session_id) IN ${OF_THESE}`,
    sessions,
  );
  const carried = connection.all<{ member_id: number; id: string; carry: string }>(
    `SELECT member_id, id, carry FROM sessions WHERE carry IS NOT NULL AND (member_id, id) IN ${OF_THESE}`,
    sessions,
  );
  const sql = "UPDATE sessions SET carry = ? WHERE member_id = ? AND id = ?";
  for (const { member_id, id, carry } of carried) connection.run(sql, withoutWords(carry), member_id, id);
}

/** Whom one of these replaced stays archived, and has no successor any more. */
function releasePredecessors(tx: Transaction, list: string): void {
  const { sync: connection } = tx;
  const left = connection.all<{ id: number; space: string }>(
    `SELECT id, space FROM memories WHERE superseded_by_id IN ${LISTED} AND id NOT IN ${LISTED}`,
    list,
    list,
  );
  connection.run(`UPDATE memories SET superseded_by_id = NULL WHERE superseded_by_id IN ${LISTED}`, list);
  for (const { id, space } of left) changeTextRow(tx, id, { scope: archivedIn(space) });
}

/** A name that no memory is about any more goes with the last of them. */
function eraseEntityIfBare(connection: Transaction["sync"], id: number): void {
  const isUsed = connection.get(
    "SELECT 1 FROM memories WHERE entity_id = ? UNION ALL SELECT 1 FROM consolidations WHERE entity_id = ? LIMIT 1",
    id,
    id,
  );
  if (isUsed) return;
  connection.run("DELETE FROM events WHERE entity_id = ?", id);
  connection.run("DELETE FROM entity_aliases WHERE entity_id = ?", id);
  connection.run("DELETE FROM entities WHERE id = ?", id);
}
