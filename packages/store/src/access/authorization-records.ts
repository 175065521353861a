import type { AuthorizationRecords, Clock, StoredRecord } from "@chest/core/ports";
import type { Reading, SqlValue } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDateIfAny, toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";

interface RecordRow {
  readonly payload: string;
  readonly consumed_at: number | null;
}

const FOUND = "SELECT payload, consumed_at FROM oauth_records WHERE kind = ? AND expires_at > ?";

const PUT = `INSERT INTO oauth_records (kind, id, grant_id, payload, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET (grant_id, payload, created_at, expires_at, consumed_at) =
    (excluded.grant_id, excluded.payload, excluded.created_at, excluded.expires_at, NULL)`;

const DAY_S = 86_400;

// A release before this one noted no grant of a registration, only its end: a year away.
const overOf = statements(
  (d) => `DELETE FROM oauth_records WHERE kind = ? AND id IN (
  SELECT id FROM oauth_records WHERE kind = ? AND grant_id IS NULL AND expires_at <= ?
  ORDER BY expires_at DESC, created_at DESC ${d.skipping("?")})`,
);

/** Clients of grants that hold: neither they nor what they were made with, nor their members, have ended. */
const OPEN_GRANTS = `SELECT g.client FROM tokens g JOIN members m ON m.id = g.member_id
  WHERE g.kind = 'grant' AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ?)
    AND m.status = 'active' AND g.client IS NOT NULL`;

const LET_GO = `UPDATE oauth_records SET grant_id = NULL, expires_at = ? WHERE kind = 'Client' AND grant_id IS NOT NULL
  AND (SELECT t.client FROM tokens t WHERE t.id = oauth_records.grant_id) NOT IN (${OPEN_GRANTS})`;

const keepOf = statements(
  (d) => `UPDATE oauth_records SET grant_id = ?, expires_at = ${d.greatest("expires_at", "CAST(? AS bigint)")}
  WHERE kind = 'Client' AND id = ?`,
);

export interface RecordParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** State of the authorization server, in a table of its own, so that any backend goes on with what another has begun. */
export function authorizationRecords({ reader, transactions, clock }: RecordParts): AuthorizationRecords {
  const now = () => toSeconds(clock.now());
  const run = (sql: string, ...values: readonly SqlValue[]) =>
    transactions.write(async (tx) => (await tx.run(sql, ...values)).changes);

  return {
    find: async (kind, id) => toRecord(await reader.get<RecordRow>(`${FOUND} AND id = ?`, kind, now(), id)),
    async put({ kind, id, grantId, payload, expiresAt }) {
      const ends = [now(), toSeconds(expiresAt)] as const;
      await run(PUT, kind, id, grantId ?? null, JSON.stringify(payload), ...ends);
    },
    async keepFor(grantId, id, expiresAt) {
      await run(keepOf(reader.dialect), grantId, toSeconds(expiresAt), id);
    },
    async hasGrant(client) {
      return (await reader.get(`${OPEN_GRANTS} AND g.client = ?`, now(), client)) !== undefined;
    },
    async consume(kind, id) {
      const sql = "UPDATE oauth_records SET consumed_at = ? WHERE kind = ? AND id = ? AND consumed_at IS NULL";
      return (await run(sql, now(), kind, id)) > 0;
    },
    async remove(kind, id) {
      await run("DELETE FROM oauth_records WHERE kind = ? AND id = ?", kind, id);
    },
    async removeGrant(grantId) {
      await run("DELETE FROM oauth_records WHERE grant_id = ? AND kind <> 'Client'", grantId);
    },
    sweep: (kind, atMost) =>
      transactions.write(async (tx) => {
        tx.later("DELETE FROM tokens WHERE kind = 'access' AND expires_at <= ?", now());
        tx.later(LET_GO, now() + DAY_S, now());
        const ended = (await tx.run("DELETE FROM oauth_records WHERE expires_at <= ?", now())).changes;
        return ended + (await tx.run(overOf(tx.dialect), kind, kind, now() + DAY_S, atMost)).changes;
      }),
  };
}

const toRecord = (row: RecordRow | undefined): StoredRecord | undefined =>
  row && { payload: JSON.parse(row.payload), consumedAt: toDateIfAny(row.consumed_at) };
