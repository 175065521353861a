import { timingSafeEqual } from "node:crypto";
import type { Scope } from "@chest/contracts";
import { type AccessBook, type AccessReads, type Bearer, type Clock, hashSecret, readToken } from "@chest/core";
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
} from "./access-rows.ts";
import { accessWrites } from "./access-writes.ts";
import type { Connection } from "./connection.ts";
import { toDate, toSeconds } from "./rows.ts";
import type { Projects } from "./standing.ts";
import type { TokenUses } from "./token-uses.ts";
import { type Statements, Transaction } from "./transaction.ts";
import type { Writer } from "./writer.ts";

interface BearerRow {
  readonly id: number;
  readonly hash: string;
  readonly scopes: string;
  readonly project_ids: string | null;
  readonly expires_at: number | null;
  readonly member_id: number;
  readonly name: string;
  readonly role: string;
}

// Asked at every request, so that a token ends with the change that ended it, whichever process made that.
const BEARER = `SELECT t.id, t.hash, t.scopes, t.project_ids, t.expires_at, m.id AS member_id, m.name, m.role
  FROM tokens t JOIN members m ON m.id = t.member_id
  WHERE t.id = ? AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ?) AND m.status = 'active'`;

export interface BookParts {
  readonly reader: Connection;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly written: Projects;
  readonly clock: Clock;
  readonly uses: TokenUses;
}

export function accessBook({ reader, writing, writer, written, clock, uses }: BookParts): AccessBook {
  return {
    ...accessReads(reader),
    async bearer(text) {
      const token = readToken(text);
      if (!token) return undefined;
      const given = Buffer.from(hashSecret(token.secret));
      const row = reader.get<BearerRow>(BEARER, token.id, toSeconds(clock.now()));
      if (!row || !timingSafeEqual(given, Buffer.from(row.hash))) return undefined;
      uses.note(row.id);
      return toBearer(row);
    },
    change: (by, work) =>
      writer.call(async (turn) => {
        const tx = new Transaction(writing, { caller: by }, clock.now(), turn, written);
        tx.ensureMember(by.member);
        return work(accessWrites(tx, accessReads(tx.connection)));
      }),
  };
}

function toBearer(row: BearerRow): Bearer {
  const scopes = new Set(row.scopes.split(",") as Scope[]);
  // The right is the member's: a token made while it was an admin does not outlive that.
  if (row.role !== "admin") scopes.delete("admin");
  return {
    member: { id: row.member_id, name: row.name },
    token: {
      id: row.id,
      projectIds: row.project_ids === null ? undefined : JSON.parse(row.project_ids),
      expiresAt: row.expires_at === null ? undefined : toDate(row.expires_at),
    },
    scopes,
  };
}

export function accessReads(connection: Statements): AccessReads {
  return {
    members: async () => connection.all<MemberRowOfTable>(`${MEMBERS} ORDER BY id`).map(toMember),
    async memberByName(name) {
      const row = connection.get<MemberRowOfTable>(`${MEMBERS} WHERE name = ?`, name);
      return row && toMember(row);
    },
    projects: async () => connection.all<ProjectRowOfTable>(PROJECTS).map(toProject),
    tokens: async () => connection.all<TokenRowOfTable>(`${TOKENS} ORDER BY id`).map(toToken),
  };
}
