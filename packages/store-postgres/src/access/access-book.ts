import { timingSafeEqual } from "node:crypto";
import type { Scope } from "@chest/contracts";
import {
  type AccessBook,
  type AccessWrites,
  type Bearer,
  type Caller,
  type Clock,
  hashSecret,
  LOCAL,
  type Once,
  readToken,
  type TokenKind,
} from "@chest/core";
import { toDateIfAny, toSeconds } from "@chest/store/database/rows";
import type { Connections } from "../database/connection.ts";
import { Transaction } from "../database/transaction.ts";
import type { Writer } from "../database/write.ts";
import { claimKey, keepAnswer } from "../memories/answers.ts";
import { accessReads, projectIdsOf, SIGN_IN_IDLE_S, type TokenRowOfTable } from "./access-rows.ts";
import { accessWrites } from "./access-writes.ts";
import type { TokenUses } from "./token-uses.ts";

type BearerRow = Pick<TokenRowOfTable, "id" | "scopes" | "project_ids" | "expires_at" | "parent_id"> & {
  readonly hash: string;
  readonly member_id: number;
  readonly name: string;
  readonly role: string;
};

// Asked at every request, so that a token ends with the change that ended it, on any backend.
const BEARERS = `SELECT t.id, t.hash, t.scopes, t.project_ids, t.expires_at, t.parent_id, m.id AS member_id, m.name, m.role
  FROM tokens t JOIN members m ON m.id = t.member_id
  WHERE t.kind = ? AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ?) AND m.status = 'active'`;
const BEARER = `${BEARERS} AND t.id = ?`;
// The authorization server makes its tokens by itself: their digest is all that finds them. None outlives its grant, which
// may end while the token is made.
const BY_HASH = `${BEARERS} AND t.hash = ? AND EXISTS (
  SELECT 1 FROM tokens g WHERE g.id = t.parent_id AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ?))`;
const NOT_IDLE = "AND coalesce(t.last_used_at, t.created_at) > ?";

// Reads of members and tokens hold until the commit of the change: a link is used once, and no token outlives the one
// that it was made with.
const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(5, 0)";

/** Members, tokens and projects lie in no space: who may change them is asked at the desk. */
const noSpaces = async () => [];

export interface BookParts {
  readonly reader: Connections;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly uses: TokenUses;
}

export function accessBook({ reader, writer, clock, uses }: BookParts): AccessBook {
  function named(row: BearerRow | undefined, kind: TokenKind): Bearer | undefined {
    if (!row) return undefined;
    const id = kind === "access" ? (row.parent_id ?? row.id) : row.id;
    uses.note(id);
    return toBearer({ ...row, id }, kind);
  }

  return {
    ...accessReads(reader, clock),
    async bearer(text, kind = "token") {
      const nowS = toSeconds(clock.now());
      if (kind === "access")
        return named(await reader.get<BearerRow>(BY_HASH, kind, nowS, hashSecret(text), nowS), kind);
      const token = readToken(text);
      if (!token) return undefined;
      const given = Buffer.from(hashSecret(token.secret));
      const row =
        kind === "session"
          ? await reader.get<BearerRow>(`${BEARER} ${NOT_IDLE}`, kind, nowS, token.id, nowS - SIGN_IN_IDLE_S)
          : await reader.get<BearerRow>(BEARER, kind, nowS, token.id);
      return row && timingSafeEqual(given, Buffer.from(row.hash)) ? named(row, kind) : undefined;
    },
    change: <T>(by: Caller, work: (tx: AccessWrites) => Promise<T>, once: Once = {}) =>
      writer.write(async (connection) => {
        const tx = new Transaction(connection, { caller: by, now: clock.now() });
        connection.later(ONE_AT_A_TIME);
        const first = await claimKey(tx, once, noSpaces);
        if (first) return first.answer as T;
        tx.ensureMember(by.member);
        const answer = await work(accessWrites(tx, accessReads(connection, clock)));
        keepAnswer(tx, once, answer, []);
        return answer;
      }, once.idempotencyKey !== undefined),
  };
}

function toBearer(row: BearerRow, kind: TokenKind): Bearer {
  const scopes = new Set(row.scopes.split(",") as Scope[]);
  // The right is the member's: a token made while it was an admin does not outlive that.
  if (row.role !== "admin" && row.member_id !== LOCAL.id) scopes.delete("admin");
  return {
    member: { id: row.member_id, name: row.name },
    token: {
      id: row.id,
      projectIds: projectIdsOf(row),
      expiresAt: toDateIfAny(row.expires_at),
      ...(kind === "session" && { signIn: { from: row.parent_id ?? undefined } }),
    },
    scopes,
  };
}
