import type { Scope } from "@chest/contracts";
import type { Role } from "@chest/core/access";
import {
  type AccessReads,
  type Clock,
  type MemberRow,
  SIGN_IN_IDLE_MS,
  type TokenKind,
  type TokenRow,
} from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import type { Dialect } from "../database/dialect.ts";
import { type ProjectCells, projectsOf, toProject } from "../database/places.ts";
import { toDate, toDateIfAny, toSeconds } from "../database/rows.ts";
import { countIn, formerOf } from "./joined-projects.ts";

export const MEMBERS = "SELECT id, name, role, status, created_at FROM members";

export interface MemberRowOfTable {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly status: string;
  readonly created_at: number;
}

export const toMember = (row: MemberRowOfTable): MemberRow => ({
  id: row.id,
  name: row.name,
  role: row.role,
  isActive: row.status === "active",
  createdAt: toDate(row.created_at),
});

// Never with the hash.
export const TOKENS = `SELECT id, kind, member_id, label, scopes, project_ids, parent_id, created_at, expires_at, revoked_at,
    last_used_at, client FROM tokens`;

export interface TokenRowOfTable {
  readonly id: number;
  readonly kind: TokenKind;
  readonly member_id: number;
  readonly label: string;
  readonly scopes: string;
  readonly project_ids: string | null;
  readonly parent_id: number | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly client: string | null;
}

export const toToken = (row: TokenRowOfTable): TokenRow => ({
  id: row.id,
  kind: row.kind,
  memberId: row.member_id,
  label: row.label,
  scopes: row.scopes.split(",") as Scope[],
  projectIds: projectIdsOf(row),
  parentId: row.parent_id ?? undefined,
  createdAt: toDate(row.created_at),
  expiresAt: toDateIfAny(row.expires_at),
  revokedAt: toDateIfAny(row.revoked_at),
  lastUsedAt: toDateIfAny(row.last_used_at),
  client: row.client ?? undefined,
});

export const projectIdsOf = ({ project_ids }: Pick<TokenRowOfTable, "project_ids">): number[] | undefined =>
  project_ids === null ? undefined : JSON.parse(project_ids);

export const SIGN_IN_IDLE_S = SIGN_IN_IDLE_MS / 1000;
// A sign-in a day for each member adds up: those that are over are not read again.
const CURRENT = "WHERE kind IN ('token', 'grant') OR (kind <> 'access' AND coalesce(last_used_at, created_at) > ?)";

export function accessReads(connection: Reading, clock: Clock): AccessReads {
  return {
    members: async () => (await connection.all<MemberRowOfTable>(`${MEMBERS} ORDER BY id`)).map(toMember),
    async memberByName(name) {
      const row = await connection.get<MemberRowOfTable>(`${MEMBERS} WHERE name = ?`, name);
      return row && toMember(row);
    },
    async memberById(id) {
      const row = await connection.get<MemberRowOfTable>(`${MEMBERS} WHERE id = ?`, id);
      return row && toMember(row);
    },
    async countPrivate(memberId) {
      const sql = `SELECT count(*) AS n FROM memories WHERE ${isOwnOf(connection.dialect, memberId, "space")}`;
      return (await connection.get<{ n: number }>(sql))?.n ?? 0;
    },
    countIn: (projectId) => countIn(connection, projectId),
    async countJoined(projectId, key) {
      const former = await formerOf(connection, projectId, key);
      return former && countIn(connection, projectId, key);
    },
    projects: async () =>
      (await connection.all<ProjectCells>(`${projectsOf(connection.dialect)} ORDER BY p.id`)).map(toProject),
    async tokens() {
      const since = toSeconds(clock.now()) - SIGN_IN_IDLE_S;
      return (await connection.all<TokenRowOfTable>(`${TOKENS} ${CURRENT} ORDER BY id`, since)).map(toToken);
    },
    async tokenById(id) {
      const row = await connection.get<TokenRowOfTable>(`${TOKENS} WHERE id = ? AND kind <> 'access'`, id);
      return row && toToken(row);
    },
  };
}

/** Condition that a column holds a space of one member alone, at large or in a project. */
export const isOwnOf = (d: Dialect, memberId: number, column: string): string =>
  `(${column} = 'm${memberId}' OR ${d.startsWith(column, `m${memberId}p`)})`;
