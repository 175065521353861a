import { withoutWords } from "@chest/core/transcript";
import { statements } from "../database/dialect.ts";
import { archivedIn } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

const sqlOf = statements((d) => {
  const isOne = d.isOneOf("id");
  return {
    hold: `SELECT id FROM memories WHERE ${isOne} ORDER BY id ${d.forUpdate}`,
    entities: `SELECT DISTINCT entity_id FROM memories WHERE ${isOne}`,
    // Leaves a tombstone, so that no import or retry restores the row.
    remember: `INSERT INTO purged (uid, capture_key, at) SELECT uid, capture_key, CAST(? AS bigint) FROM memories
      WHERE ${isOne} ON CONFLICT DO NOTHING`,
    delete: `DELETE FROM memories WHERE ${isOne}`,
    sessionsOfMember: `SELECT member_id AS member, id AS session FROM sessions WHERE member_id = ?
      UNION SELECT member_id, session_id FROM session_file_edits WHERE member_id = ?
      UNION SELECT member_id, session_id FROM session_snapshots WHERE member_id = ?`,
    sessionsNamed: `SELECT member_id AS member, id AS session FROM sessions WHERE id = ?
      UNION SELECT member_id, session_id FROM session_file_edits WHERE session_id = ?
      UNION SELECT member_id, session_id FROM session_snapshots WHERE session_id = ?`,
    sessions: `SELECT author_id AS member, session_id AS session FROM memories WHERE ${isOne} AND session_id IS NOT NULL
      UNION SELECT member_id, session_id FROM session_file_edits WHERE ${d.isOneOf("memory_id")}`,
    carried: `SELECT carry FROM sessions WHERE carry IS NOT NULL AND member_id = ? AND id = ? ${d.forUpdate}`,
    predecessors: `SELECT id, space FROM memories WHERE ${d.isOneOf("superseded_by_id")} AND NOT (${isOne})
      ORDER BY id ${d.forUpdate}`,
    release: `UPDATE memories SET superseded_by_id = NULL WHERE ${d.isOneOf("superseded_by_id")}`,
  };
});

/**
 * Deletes memories with all dependent rows.
 * @param isAnswerAbout condition on `idempotency` for answers about one of a bound list of memories
 */
export async function deleteRows(tx: Transaction, ids: readonly number[], isAnswerAbout: string): Promise<void> {
  const { connection, nowS } = tx;
  const sql = sqlOf(connection.dialect);
  await connection.all(sql.hold, ids);
  const entities = await connection.ids(sql.entities, ids);
  connection.later(sql.remember, nowS, ids);
  for (const id of ids) await tx.texts.drop(id);
  await eraseSessionTexts(tx, ids);
  // The key stays, so that a late retry does not write again; request and answer are deleted.
  connection.later(`UPDATE idempotency SET request_hash = '', answer = '{}' WHERE ${isAnswerAbout}`, ids);
  await releasePredecessors(tx, ids);
  connection.later(sql.delete, ids);
  for (const id of entities) await eraseEntityIfBare(tx, id);
}

/** Deletes the stored transcript state of the rows' sessions, from which further memories would be captured. */
async function eraseSessionTexts(tx: Transaction, ids: readonly number[]): Promise<void> {
  await eraseTextsOf(tx, await tx.connection.all<MemberSession>(sqlOf(tx.connection.dialect).sessions, ids, ids));
}

/** Deletes what sessions keep of their transcripts, with or without memories: all of a member's, or all of one id. */
export async function eraseSessions(
  tx: Transaction,
  which: { readonly memberId: number } | { readonly session: string },
): Promise<void> {
  const { connection } = tx;
  const sql = sqlOf(connection.dialect);
  const [statement, value] =
    "memberId" in which
      ? ([sql.sessionsOfMember, which.memberId] as const)
      : ([sql.sessionsNamed, which.session] as const);
  await eraseTextsOf(tx, await connection.all<MemberSession>(statement, value, value, value));
}

interface MemberSession {
  readonly member: number;
  readonly session: string;
}

async function eraseTextsOf({ connection }: Transaction, sessions: readonly MemberSession[]): Promise<void> {
  const sql = sqlOf(connection.dialect);
  for (const { member, session } of sessions) {
    connection.later("DELETE FROM session_snapshots WHERE member_id = ? AND session_id = ?", member, session);
    connection.later(
      "UPDATE session_file_edits SET context_snippet = NULL WHERE member_id = ? AND session_id = ?",
      member,
      session,
    );
    const carried = await connection.get<{ carry: string }>(sql.carried, member, session);
    if (carried)
      connection.later(
        "UPDATE sessions SET carry = ? WHERE member_id = ? AND id = ?",
        withoutWords(carried.carry),
        member,
        session,
      );
  }
}

/** Memories that these replaced stay archived, without a successor. */
async function releasePredecessors(tx: Transaction, ids: readonly number[]): Promise<void> {
  const { connection } = tx;
  const sql = sqlOf(connection.dialect);
  const left = await connection.all<{ id: number; space: string }>(sql.predecessors, ids, ids);
  connection.later(sql.release, ids);
  await tx.texts.move(left.map(({ id, space }) => ({ id, scope: archivedIn(space) })));
}

/** Deletes an entity without memories. */
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
