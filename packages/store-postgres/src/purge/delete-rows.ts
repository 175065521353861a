import { withoutWords } from "@chest/core";
import { archivedIn } from "@chest/store/database/rows";
import type { Transaction } from "../database/transaction.ts";
import { changeTextRow, dropTextRow } from "../search/text-rows.ts";

/** Leaves a tombstone, so that neither an import nor a repeat brings the row back. */
const REMEMBER = `INSERT INTO purged (uid, capture_key, at) SELECT uid, capture_key, ?::bigint FROM memories
  WHERE id = ANY (?) ON CONFLICT DO NOTHING`;

/** Deletes memories and all that was written of them. */
export async function deleteRows(tx: Transaction, ids: readonly number[]): Promise<void> {
  const { connection, nowS } = tx;
  await connection.all("SELECT id FROM memories WHERE id = ANY (?) ORDER BY id FOR UPDATE", ids);
  const entities = await connection.ids("SELECT DISTINCT entity_id FROM memories WHERE id = ANY (?)", ids);
  connection.later(REMEMBER, nowS, ids);
  for (const id of ids) await dropTextRow(tx, id);
  await eraseSessionTexts(tx, ids);
  // The key stays, so that a late repeat does not write it again; what was asked and answered goes.
  connection.later("UPDATE idempotency SET request_hash = '', answer = '{}' WHERE memory_id = ANY (?)", ids);
  await releasePredecessors(tx, ids);
  connection.later("DELETE FROM memories WHERE id = ANY (?)", ids);
  for (const id of entities) await eraseEntityIfBare(tx, id);
}

const SESSIONS = `SELECT author_id AS member, session_id AS session FROM memories WHERE id = ANY (?) AND session_id IS NOT NULL
  UNION SELECT member_id, session_id FROM session_file_edits WHERE memory_id = ANY (?)`;
const OF_THESE = "(member_id, session_id) IN (SELECT * FROM unnest(?::bigint[], ?::text[]))";

/** Removes the transcript text of the rows' sessions: further memories would be made of it. */
async function eraseSessionTexts({ connection }: Transaction, ids: readonly number[]): Promise<void> {
  const sessions = await connection.all<{ member: number; session: string }>(SESSIONS, ids, ids);
  const of = [sessions.map(({ member }) => member), sessions.map(({ session }) => session)] as const;
  connection.later(`DELETE FROM session_snapshots WHERE ${OF_THESE}`, ...of);
  connection.later(`UPDATE session_file_edits SET context_snippet = NULL WHERE ${OF_THESE}`, ...of);
  const carried = await connection.all<{ member_id: number; id: string; carry: string }>(
    `SELECT member_id, id, carry FROM sessions
     WHERE carry IS NOT NULL AND (member_id, id) IN (SELECT * FROM unnest(?::bigint[], ?::text[])) FOR UPDATE`,
    ...of,
  );
  const sql = "UPDATE sessions SET carry = ? WHERE member_id = ? AND id = ?";
  for (const { member_id, id, carry } of carried) connection.later(sql, withoutWords(carry), member_id, id);
}

/** Whom one of these replaced stays archived, and has no successor any more. */
async function releasePredecessors(tx: Transaction, ids: readonly number[]): Promise<void> {
  const { connection } = tx;
  const left = await connection.all<{ id: number; space: string }>(
    "SELECT id, space FROM memories WHERE superseded_by_id = ANY (?) AND id <> ALL (?) ORDER BY id FOR UPDATE",
    ids,
    ids,
  );
  connection.later("UPDATE memories SET superseded_by_id = NULL WHERE superseded_by_id = ANY (?)", ids);
  for (const { id, space } of left) await changeTextRow(tx, id, {}, archivedIn(space));
}

/** A name that no memory is about any more goes with the last of them. */
async function eraseEntityIfBare({ connection }: Transaction, id: number): Promise<void> {
  const isUsed = await connection.get(
    "SELECT 1 FROM memories WHERE entity_id = ? UNION ALL SELECT 1 FROM consolidations WHERE entity_id = ? LIMIT 1",
    id,
    id,
  );
  if (isUsed) return;
  connection.later("DELETE FROM events WHERE entity_id = ?", id);
  connection.later("DELETE FROM entity_aliases WHERE entity_id = ?", id);
  connection.later("DELETE FROM entities WHERE id = ?", id);
}
