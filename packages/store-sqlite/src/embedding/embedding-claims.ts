import type { Claim, EmbeddingIdentity, Space } from "@chest/core";
import type { Statements } from "../database/connection.ts";
import { toSeconds } from "../database/row-mapping.ts";
import { identityId, readIdentities } from "./identities.ts";
import { lackingSql } from "./pending-embeddings.ts";

const FREE =
  "NOT EXISTS (SELECT 1 FROM embedding_claims c WHERE c.memory_id = m.id AND c.identity_id = ? AND c.until > ?)";

/** Claims the next rows above a cursor. One space at a time: in its part of the index they stand by id already. */
export function claimPending(
  connection: Statements,
  identity: EmbeddingIdentity,
  { claimant, cursor, limit, until, writtenBefore }: Claim,
  spaces: readonly Space[],
  nowS: number,
): number[] {
  // An expired claim counts as none, and the next claim sweeps it up.
  connection.run("DELETE FROM embedding_claims WHERE until <= ?", nowS);
  const made = identityId(connection, identity);
  const lacking = lackingSql({ identity, active: readIdentities(connection).active });
  const next = `SELECT m.id FROM memories m WHERE m.space = ? AND m.id > ? AND ${lacking.sql}
      AND max(m.created_at, coalesce(m.edited_at, 0)) <= ? AND ${FREE} ORDER BY m.id LIMIT ?`;
  const ids = spaces
    .flatMap((space) =>
      connection.all<{ id: number }>(
        next,
        space,
        cursor,
        ...lacking.values,
        toSeconds(writtenBefore),
        made,
        nowS,
        limit,
      ),
    )
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .slice(0, limit);
  const untilS = Math.ceil(until.getTime() / 1000);
  for (const id of ids) {
    connection.run(
      "INSERT INTO embedding_claims (memory_id, identity_id, claimant, until) VALUES (?, ?, ?, ?)",
      id,
      made,
      claimant,
      untilS,
    );
  }
  return ids;
}

export function releaseClaims(connection: Statements, claimant: string, ids: readonly number[]): void {
  connection.run(
    "DELETE FROM embedding_claims WHERE claimant = ? AND memory_id IN (SELECT value FROM json_each(?))",
    claimant,
    JSON.stringify(ids),
  );
}
