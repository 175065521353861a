import type { BearerReads, BearerRow } from "@chest/store/access/access-book";
import type { Reading } from "../database/connection.ts";

// Reads token, member and parent in one round trip.
const BEARERS = `SELECT t.id, t.hash, t.scopes, t.project_ids, t.expires_at, t.parent_id, m.id AS member_id, m.name, m.role
  FROM tokens t JOIN members m ON m.id = t.member_id
  WHERE t.kind = ? AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ?) AND m.status = 'active'`;
const BY_ID = `${BEARERS} AND t.id = ?`;
const BY_HASH = `${BEARERS} AND t.hash = ? AND EXISTS (
  SELECT 1 FROM tokens g WHERE g.id = t.parent_id AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ?))`;
const USED_SINCE = "AND coalesce(t.last_used_at, t.created_at) > ?";

export const bearerReads = (reader: Reading): BearerReads => ({
  byId: (kind, id, nowS, usedSinceS) =>
    usedSinceS === undefined
      ? reader.get<BearerRow>(BY_ID, kind, nowS, id)
      : reader.get<BearerRow>(`${BY_ID} ${USED_SINCE}`, kind, nowS, id, usedSinceS),
  byHash: (hash, nowS) => reader.get<BearerRow>(BY_HASH, "access", nowS, hash, nowS),
});
