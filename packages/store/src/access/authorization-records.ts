import type { AuthorizationRecords, Clock, KeptRecord } from "@chest/core";
import type { Reading, Value } from "../database/connection.ts";
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

const overOf = statements(
  (d) => `DELETE FROM oauth_records WHERE kind = ? AND id IN (
  SELECT id FROM oauth_records WHERE kind = ? ORDER BY expires_at DESC, created_at DESC ${d.skipping("?")})`,
);

export interface RecordParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** State of the authorization server, in a table of its own, so that any backend goes on with what another has begun. */
export function authorizationRecords({ reader, transactions, clock }: RecordParts): AuthorizationRecords {
  const now = () => toSeconds(clock.now());
  const run = (sql: string, ...values: readonly Value[]) =>
    transactions.write(async (tx) => (await tx.run(sql, ...values)).changes);

  return {
    find: async (kind, id) => toRecord(await reader.get<RecordRow>(`${FOUND} AND id = ?`, kind, now(), id)),
    async put({ kind, id, grantId, payload, expiresAt }) {
      const ends = [now(), toSeconds(expiresAt)] as const;
      await run(PUT, kind, id, grantId ?? null, JSON.stringify(payload), ...ends);
    },
    async extend(kind, id, expiresAt) {
      await run("UPDATE oauth_records SET expires_at = ? WHERE kind = ? AND id = ?", toSeconds(expiresAt), kind, id);
    },
    async consume(kind, id) {
      const sql = "UPDATE oauth_records SET consumed_at = ? WHERE kind = ? AND id = ? AND consumed_at IS NULL";
      return (await run(sql, now(), kind, id)) > 0;
    },
    async remove(kind, id) {
      await run("DELETE FROM oauth_records WHERE kind = ? AND id = ?", kind, id);
    },
    async removeGrant(grantId) {
      await run("DELETE FROM oauth_records WHERE grant_id = ?", grantId);
    },
    sweep: (kind, atMost) =>
      transactions.write(async (tx) => {
        tx.later("DELETE FROM tokens WHERE kind = 'access' AND expires_at <= ?", now());
        const ended = (await tx.run("DELETE FROM oauth_records WHERE expires_at <= ?", now())).changes;
        return ended + (await tx.run(overOf(tx.dialect), kind, kind, atMost)).changes;
      }),
  };
}

const toRecord = (row: RecordRow | undefined): KeptRecord | undefined =>
  row && { payload: JSON.parse(row.payload), consumedAt: toDateIfAny(row.consumed_at) };
