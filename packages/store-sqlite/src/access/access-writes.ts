import type { AccessReads, AccessWrites, MemberRow, TokenRow } from "@chest/core";
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
import { toSeconds } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";
import { handOver } from "./hand-over.ts";
import { closeAsOne, moveInto } from "./move-project.ts";

/** Revoking reaches all tokens that were made with this one. */
const REVOKE = `WITH RECURSIVE family (id) AS (SELECT ? UNION SELECT t.id FROM tokens t JOIN family f ON t.parent_id = f.id)
  UPDATE tokens SET revoked_at = ? WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL`;

/** Changes to members, tokens and projects, each with its row in the audit log. */
export function accessWrites(tx: Transaction, reads: AccessReads): AccessWrites {
  const { sync: connection, nowS } = tx;

  function member(id: number): MemberRow {
    const row = connection.get<MemberRowOfTable>(`${MEMBERS} WHERE id = ?`, id);
    if (!row) throw new Error(`there is no member ${id}`);
    return toMember(row);
  }
  function token(id: number): TokenRow {
    const row = connection.get<TokenRowOfTable>(`${TOKENS} WHERE id = ?`, id);
    if (!row) throw new Error(`there is no token ${id}`);
    return toToken(row);
  }
  async function project(id: number | undefined) {
    const row = connection.all<ProjectRowOfTable>(PROJECTS).find((each) => each.id === id);
    if (!row) throw new Error(`there is no project ${id}`);
    return toProject(row);
  }

  return {
    ...reads,
    async addMember(name, role) {
      const sql = "INSERT INTO members (name, role, created_at) VALUES (?, ?, ?) RETURNING id";
      const row = connection.get<{ id: number }>(sql, name, role, nowS);
      if (!row) throw new Error("an insert returned no id");
      tx.audit("member.add", { subject: `member:${row.id}` });
      return member(row.id);
    },
    async setMember(id, { role, isActive }) {
      if (role) connection.run("UPDATE members SET role = ? WHERE id = ?", role, id);
      if (isActive !== undefined)
        connection.run("UPDATE members SET status = ? WHERE id = ?", isActive ? "active" : "removed", id);
      tx.audit(isActive === false ? "member.disable" : "member.change", { subject: `member:${id}` });
      return member(id);
    },
    async addToken({ kind, memberId, label, hash, scopes, projectIds, expiresAt, parentId, client }) {
      const row = connection.get<{ id: number }>(
        `INSERT INTO tokens (kind, member_id, label, hash, scopes, project_ids, parent_id, client, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        kind,
        memberId,
        label,
        hash,
        scopes.join(","),
        projectIds ? JSON.stringify(projectIds) : null,
        parentId ?? null,
        client ?? null,
        nowS,
        expiresAt ? toSeconds(expiresAt) : null,
      );
      if (!row) throw new Error("an insert returned no id");
      if (kind !== "access") tx.audit(`${kind}.create`, { subject: `token:${row.id}` });
      return token(row.id);
    },
    async revokeToken(id) {
      const { changes } = connection.run(REVOKE, id, nowS);
      if (changes > 0) tx.audit("token.revoke", { subject: `token:${id}` });
      return token(id);
    },
    project: async (key) => project(await tx.projectId(key)),
    async setProject(id, { access, memberIds }) {
      connection.run("UPDATE projects SET access = ? WHERE id = ?", access, id);
      connection.run("DELETE FROM project_members WHERE project_id = ?", id);
      for (const memberId of memberIds)
        connection.run("INSERT INTO project_members (project_id, member_id) VALUES (?, ?)", id, memberId);
      tx.audit("project.change", { subject: `project:${id}` });
      return project(id);
    },
    async renameProject(id, key) {
      const { key: old } = await project(id);
      connection.run("DELETE FROM project_aliases WHERE key = ?", key);
      connection.run("UPDATE projects SET key = ? WHERE id = ?", key, id);
      connection.run("INSERT INTO project_aliases (key, project_id) VALUES (?, ?)", old, id);
      tx.audit("project.rename", { subject: `project:${id}` });
      return project(id);
    },
    async setAliases(id, keys) {
      connection.run("DELETE FROM project_aliases WHERE project_id = ?", id);
      for (const key of keys) connection.run("INSERT INTO project_aliases (key, project_id) VALUES (?, ?)", key, id);
      tx.audit("project.alias", { subject: `project:${id}` });
      return project(id);
    },
    async mergeProject(from, into) {
      const [gone, kept] = [await project(from), await project(into)];
      closeAsOne(connection, kept, [gone, kept]);
      moveInto(tx, into, from);
      connection.run("INSERT INTO project_aliases (key, project_id) VALUES (?, ?)", gone.key, into);
      tx.audit("project.merge", { subject: `project:${into}` });
      return project(into);
    },
    handOver: async (fromId, toId) => handOver(tx, fromId, toId),
  };
}
