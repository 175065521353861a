import type { Scope } from "@chest/contracts";
import type { MemberRow, ProjectAccess, ProjectRow, Role, TokenKind, TokenRow } from "@chest/core";
import { toDate } from "./row-mapping.ts";

export const MEMBERS = "SELECT id, name, role, status, created_at FROM members";

export interface MemberRowOfTable {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly status: string;
  readonly created_at: number;
}

export const toMember = (row: MemberRowOfTable): MemberRow => ({
  id: row.id,
  name: row.name,
  role: row.role as Role,
  isActive: row.status === "active",
  createdAt: toDate(row.created_at),
});

// Never with the hash.
export const TOKENS = `SELECT id, kind, member_id, label, scopes, project_ids, parent_id, created_at, expires_at, revoked_at,
    last_used_at, client FROM tokens`;

export interface TokenRowOfTable {
  readonly id: number;
  readonly kind: string;
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

const dateIfAny = (seconds: number | null): Date | undefined => (seconds === null ? undefined : toDate(seconds));

export const toToken = (row: TokenRowOfTable): TokenRow => ({
  id: row.id,
  kind: row.kind as TokenKind,
  memberId: row.member_id,
  label: row.label,
  scopes: row.scopes.split(",") as Scope[],
  projectIds: row.project_ids === null ? undefined : JSON.parse(row.project_ids),
  parentId: row.parent_id ?? undefined,
  createdAt: toDate(row.created_at),
  expiresAt: dateIfAny(row.expires_at),
  revokedAt: dateIfAny(row.revoked_at),
  lastUsedAt: dateIfAny(row.last_used_at),
  client: row.client ?? undefined,
});

export const PROJECTS = `SELECT id, key, access,
    (SELECT json_group_array(member_id) FROM project_members m WHERE m.project_id = p.id) AS member_ids,
    (SELECT json_group_array(a.key ORDER BY a.key) FROM project_aliases a WHERE a.project_id = p.id) AS aliases
  FROM projects p ORDER BY id`;

export interface ProjectRowOfTable {
  readonly id: number;
  readonly key: string;
  readonly access: string;
  /** JSON, both. */
  readonly member_ids: string;
  readonly aliases: string;
}

export const toProject = ({ id, key, access, member_ids, aliases }: ProjectRowOfTable): ProjectRow => ({
  id,
  key,
  aliases: JSON.parse(aliases),
  access: access as ProjectAccess,
  memberIds: JSON.parse(member_ids),
});
