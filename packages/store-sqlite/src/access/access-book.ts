import { timingSafeEqual } from "node:crypto";
import type { Scope } from "@chest/contracts";
import {
  type AccessBook,
  type AccessReads,
  type AccessWrites,
  type Bearer,
  type Caller,
  type Clock,
  hashSecret,
  LOCAL,
  type Once,
  readToken,
  SIGN_IN_IDLE_MS,
  type Space,
  type TokenKind,
} from "@chest/core";
import {
  MEMBERS,
  type MemberRowOfTable,
  PROJECTS,
  type ProjectRowOfTable,
  TOKENS,
  type TokenRowOfTable,
  toMember,
  toProject,
  toToken,
} from "../database/access-rows.ts";
import type { Connection, Reading } from "../database/connection.ts";
import type { Projects } from "../database/projects.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import { firstAnswer, keepAnswer } from "../memories/idempotency-answers.ts";
import { Transaction } from "../writing/transaction.ts";
import type { Writer } from "../writing/write-queue.ts";
import { accessWrites } from "./access-writes.ts";
import type { TokenUses } from "./token-last-used.ts";

type BearerRow = Pick<TokenRowOfTable, "id" | "member_id" | "scopes" | "project_ids" | "expires_at" | "parent_id"> & {
  readonly hash: string;
};

// Asked at every request, so that a token ends with the change that ended it, in any process. Two rows by their keys:
// joined they take three times as long.
const COLUMNS = "id, hash, member_id, scopes, project_ids, expires_at, parent_id";
const IS_OPEN = "kind = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)";
const BEARER = `SELECT ${COLUMNS} FROM tokens WHERE id = ? AND ${IS_OPEN}`;
// The authorization server makes its tokens by itself: their digest is all that finds them. None outlives its grant, which
// may end while the token is made.
const BY_HASH = `SELECT ${COLUMNS} FROM tokens WHERE hash = ? AND ${IS_OPEN} AND EXISTS (
  SELECT 1 FROM tokens g WHERE g.id = tokens.parent_id AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ?))`;
const NOT_IDLE = "AND coalesce(last_used_at, created_at) > ?";
const ITS_MEMBER = `${MEMBERS} WHERE id = ? AND status = 'active'`;

const IDLE_S = SIGN_IN_IDLE_MS / 1000;
// A sign-in a day for each member adds up: those that are over are not read again.
const CURRENT = "WHERE kind IN ('token', 'grant') OR (kind <> 'access' AND coalesce(last_used_at, created_at) > ?)";

/** Members, tokens and projects lie in no space: who may change them is asked at the desk. */
const NO_SPACES: readonly Space[] = [];

export interface BookParts {
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly written: Projects;
  readonly clock: Clock;
  readonly uses: TokenUses;
}

export function accessBook({ reader, writing, writer, written, clock, uses }: BookParts): AccessBook {
  function named(row: BearerRow | undefined, kind: TokenKind): Bearer | undefined {
    const member = row && reader.get<MemberRowOfTable>(ITS_MEMBER, row.member_id);
    if (!member) return undefined;
    const id = kind === "access" ? (row.parent_id ?? row.id) : row.id;
    uses.note(id);
    return toBearer({ ...row, id }, member, kind);
  }

  return {
    ...accessReads(reader, clock),
    async bearer(text, kind = "token") {
      const nowS = toSeconds(clock.now());
      if (kind === "access") return named(reader.get<BearerRow>(BY_HASH, hashSecret(text), kind, nowS, nowS), kind);
      const token = readToken(text);
      if (!token) return undefined;
      const given = Buffer.from(hashSecret(token.secret));
      const row =
        kind === "session"
          ? reader.get<BearerRow>(`${BEARER} ${NOT_IDLE}`, token.id, kind, nowS, nowS - IDLE_S)
          : reader.get<BearerRow>(BEARER, token.id, kind, nowS);
      return row && timingSafeEqual(given, Buffer.from(row.hash)) ? named(row, kind) : undefined;
    },
    change: <T>(by: Caller, work: (tx: AccessWrites) => Promise<T>, once: Once = {}) =>
      writer.call(async (turn) => {
        const first = firstAnswer(writing, by, once, NO_SPACES);
        if (first) return first.answer as T;
        const tx = new Transaction({ writing, written }, turn, { caller: by, now: clock.now() });
        tx.ensureMember(by.member);
        const answer = await work(accessWrites(tx, accessReads(tx.sync, clock)));
        keepAnswer(tx, once, answer, NO_SPACES);
        return answer;
      }),
  };
}

function toBearer(row: BearerRow, { id, name, role }: MemberRowOfTable, kind: TokenKind): Bearer {
  const scopes = new Set(row.scopes.split(",") as Scope[]);
  // The right is the member's: a token made while it was an admin does not outlive that.
  if (role !== "admin" && id !== LOCAL.id) scopes.delete("admin");
  return {
    member: { id, name },
    token: {
      id: row.id,
      projectIds: row.project_ids === null ? undefined : JSON.parse(row.project_ids),
      expiresAt: row.expires_at === null ? undefined : toDate(row.expires_at),
      ...(kind === "session" && { signIn: { from: row.parent_id ?? undefined } }),
    },
    scopes,
  };
}

function accessReads(connection: Reading, clock: Clock): AccessReads {
  return {
    members: async () => connection.all<MemberRowOfTable>(`${MEMBERS} ORDER BY id`).map(toMember),
    async memberByName(name) {
      const row = connection.get<MemberRowOfTable>(`${MEMBERS} WHERE name = ?`, name);
      return row && toMember(row);
    },
    async countPrivate(memberId) {
      const sql = "SELECT count(*) AS n FROM memories WHERE space = ? OR space GLOB ?";
      return connection.get<{ n: number }>(sql, `m${memberId}`, `m${memberId}p*`)?.n ?? 0;
    },
    projects: async () => connection.all<ProjectRowOfTable>(PROJECTS).map(toProject),
    tokens: async () =>
      connection.all<TokenRowOfTable>(`${TOKENS} ${CURRENT} ORDER BY id`, toSeconds(clock.now()) - IDLE_S).map(toToken),
  };
}
