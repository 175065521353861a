import { timingSafeEqual } from "node:crypto";
import type { Scope } from "@chest/contracts";
import { type Caller, hashSecret, LOCAL, readToken } from "@chest/core/access";
import type { Once } from "@chest/core/idempotency";
import type { AccessBook, AccessWrites, Bearer, Clock, TokenKind } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { toDateIfAny, toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";
import { accessReads, projectIdsOf, SIGN_IN_IDLE_S } from "./access-rows.ts";
import { accessWrites } from "./access-writes.ts";
import type { Answers } from "./answers.ts";
import type { TokenUses } from "./token-uses.ts";

/** A token with its member, as it is asked for at every request, so that it ends with the change that ended it. */
export interface BearerRow {
  readonly id: number;
  readonly hash: string;
  readonly scopes: string;
  readonly project_ids: string | null;
  readonly expires_at: number | null;
  readonly parent_id: number | null;
  readonly member_id: number;
  readonly name: string;
  readonly role: string;
}

/** Reads of open tokens of active members; each engine has the form that costs it least. */
export interface BearerReads {
  /** @param usedSinceS second since which it must have been used; undefined where it may rest */
  byId(kind: TokenKind, id: number, nowS: number, usedSinceS?: number): Promise<BearerRow | undefined>;
  /** Finds an access token whose grant is open, too. */
  byHash(hash: string, nowS: number): Promise<BearerRow | undefined>;
}

/** Members, tokens and projects lie in no space: who may change them is asked at the desk. */
const noSpaces = async () => [];

export interface BookParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly bearers: BearerReads;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly uses: Pick<TokenUses, "note">;
}

/** Members, tokens and projects. */
export function accessBook({ reader, transactions, bearers, answers, clock, uses }: BookParts): AccessBook {
  function bearerOf(row: BearerRow | undefined, kind: TokenKind): Bearer | undefined {
    if (!row) return undefined;
    const id = kind === "access" ? (row.parent_id ?? row.id) : row.id;
    uses.note(id);
    return toBearer({ ...row, id }, kind);
  }

  return {
    ...accessReads(reader, clock),
    async bearer(text, kind = "token") {
      const nowS = toSeconds(clock.now());
      // The authorization server makes its tokens by itself: their digest is all that finds them.
      if (kind === "access") return bearerOf(await bearers.byHash(hashSecret(text), nowS), kind);
      const token = readToken(text);
      if (!token) return undefined;
      const given = Buffer.from(hashSecret(token.secret));
      const usedSinceS = kind === "session" ? nowS - SIGN_IN_IDLE_S : undefined;
      const row = await bearers.byId(kind, token.id, nowS, usedSinceS);
      return row && timingSafeEqual(given, Buffer.from(row.hash)) ? bearerOf(row, kind) : undefined;
    },
    change: <T>(by: Caller, work: (tx: AccessWrites) => Promise<T>, once: Once = {}) =>
      transactions.transact(
        { caller: by },
        async (tx) => {
          // Reads of members and tokens hold until the commit of the change: a link is used once, and no token outlives the
          // one that it was made with.
          tx.connection.dialect.lock(tx.connection, "access", "");
          const first = await answers.claim(tx, once, noSpaces);
          if (first) return first.answer as T;
          tx.ensureMember(by.member);
          const answer = await work(accessWrites(tx, accessReads(tx.connection, clock)));
          answers.keep(tx, once, answer, []);
          return answer;
        },
        { isKeyed: once.idempotencyKey !== undefined },
      ),
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
