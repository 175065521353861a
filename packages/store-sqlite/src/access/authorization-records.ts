import type { AuthorizationRecords, Clock, KeptRecord } from "@chest/core";
import type { Connection, Reading } from "../database/connection.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import type { Writer } from "../writing/write-queue.ts";

interface RecordRow {
  readonly payload: string;
  readonly consumed_at: number | null;
}

const FOUND = "SELECT payload, consumed_at FROM oauth_records WHERE kind = ? AND expires_at > ?";

const PUT = `INSERT OR REPLACE INTO oauth_records (kind, id, grant_id, payload, created_at, expires_at)
  VALUES (?, ?, ?, ?, ?, ?)`;

const OVER = `DELETE FROM oauth_records WHERE kind = ? AND id IN (
  SELECT id FROM oauth_records WHERE kind = ? ORDER BY expires_at DESC, created_at DESC LIMIT -1 OFFSET ?)`;

export interface RecordParts {
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly clock: Clock;
}

/** State of the authorization server, in a table of its own. */
export function authorizationRecords({ reader, writing, writer, clock }: RecordParts): AuthorizationRecords {
  const now = () => toSeconds(clock.now());
  const run = (sql: string, ...values: readonly (string | number | null)[]) =>
    writer.call(async () => writing.run(sql, ...values).changes);

  return {
    find: async (kind, id) => toRecord(reader.get<RecordRow>(`${FOUND} AND id = ?`, kind, now(), id)),
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
      writer.call(async () => {
        writing.run("DELETE FROM tokens WHERE kind = 'access' AND expires_at <= ?", now());
        const ended = writing.run("DELETE FROM oauth_records WHERE expires_at <= ?", now()).changes;
        return ended + writing.run(OVER, kind, kind, atMost).changes;
      }),
  };
}

const toRecord = (row: RecordRow | undefined): KeptRecord | undefined =>
  row && {
    payload: JSON.parse(row.payload),
    consumedAt: row.consumed_at === null ? undefined : toDate(row.consumed_at),
  };
