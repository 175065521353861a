import { withFormer } from "@chest/core/access";
import type { AccessReads, AccessWrites, MemberRow, TokenRow } from "@chest/core/ports";
import { statements } from "../database/dialect.ts";
import { type ProjectCells, projectsOf, toProject } from "../database/places.ts";
import { toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { releaseItems } from "../memories/inbox-notes.ts";
import { MEMBERS, type MemberRowOfTable, TOKENS, type TokenRowOfTable, toMember, toToken } from "./access-rows.ts";
import { handOver } from "./hand-over.ts";
import { noteFormer, splitProject } from "./joined-projects.ts";
import { closeAsOne, moveInto, splitLimits } from "./move-project.ts";

/** Revoking reaches all tokens that were made with this one. */
const REVOKE = `WITH RECURSIVE family (id) AS (
    SELECT CAST(? AS bigint) UNION SELECT t.id FROM tokens t JOIN family f ON t.parent_id = f.id)
  UPDATE tokens SET revoked_at = ? WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL`;

const sqlOf = statements((d) => ({
  hold: `SELECT 1 FROM projects WHERE id = ? ${d.forUpdate}`,
  holdAll: `SELECT 1 FROM projects WHERE ${d.isOneOf("id")} ORDER BY id ${d.forUpdate}`,
  addMembers: `INSERT INTO project_members (project_id, member_id) SELECT CAST(? AS bigint), v.value FROM ${d.valuesOf("bigint", "v")}`,
  removeAliases: `DELETE FROM project_aliases WHERE project_id = ? AND NOT (${d.isOneOf("key")})`,
  addAliases: `INSERT INTO project_aliases (project_id, key)
    SELECT CAST(? AS bigint), v.value FROM ${d.valuesOf("text", "v")} WHERE true ON CONFLICT DO NOTHING`,
}));

/** Changes to members, tokens and projects, each with its row in the audit log. */
export function accessWrites(tx: Transaction, reads: AccessReads): AccessWrites {
  const { connection, nowS } = tx;
  const sql = sqlOf(connection.dialect);

  async function member(id: number): Promise<MemberRow> {
    const row = await connection.get<MemberRowOfTable>(`${MEMBERS} WHERE id = ?`, id);
    if (!row) throw new Error(`there is no member ${id}`);
    return toMember(row);
  }
  async function token(id: number): Promise<TokenRow> {
    const row = await connection.get<TokenRowOfTable>(`${TOKENS} WHERE id = ?`, id);
    if (!row) throw new Error(`there is no token ${id}`);
    return toToken(row);
  }
  async function project(id: number | undefined) {
    const row = await connection.get<ProjectCells>(`${projectsOf(connection.dialect)} WHERE p.id = ?`, id ?? null);
    if (!row) throw new Error(`there is no project ${id}`);
    return toProject(row);
  }

  return {
    ...reads,
    async addMember(name, role) {
      // Members that come by a token or a setting bring ids of their own, so no sequence gives them.
      const row = await connection.get<{ id: number }>(
        `INSERT INTO members (id, name, role, created_at)
         VALUES ((SELECT coalesce(max(id), 0) + 1 FROM members), ?, ?, ?) RETURNING id`,
        name,
        role,
        nowS,
      );
      if (!row) throw new Error("an insert returned no id");
      tx.audit("member.add", { subject: `member:${row.id}` });
      return member(row.id);
    },
    async setMember(id, { role, isActive }) {
      if (role) connection.later("UPDATE members SET role = ? WHERE id = ?", role, id);
      if (isActive !== undefined)
        connection.later("UPDATE members SET status = ? WHERE id = ?", isActive ? "active" : "removed", id);
      await releaseItems(tx);
      tx.audit(isActive === false ? "member.disable" : "member.change", { subject: `member:${id}` });
      return member(id);
    },
    async addToken({ kind, memberId, label, hash, scopes, projectIds, expiresAt, parentId, client }) {
      const row = await connection.get<{ id: number }>(
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
      const { changes } = await connection.run(REVOKE, id, nowS);
      if (changes > 0) tx.audit("token.revoke", { subject: `token:${id}` });
      return token(id);
    },
    project: async (key) => project(await tx.projectId(key)),
    async setProject(id, { access, memberIds }) {
      // Writers into it hold a lock that this one waits for: behind it, what is closed is closed to all of them.
      connection.later(sql.hold, id);
      connection.later("UPDATE projects SET access = ? WHERE id = ?", access, id);
      connection.later("DELETE FROM project_members WHERE project_id = ?", id);
      if (memberIds.length > 0) connection.later(sql.addMembers, id, memberIds);
      await releaseItems(tx);
      tx.audit("project.change", { subject: `project:${id}` });
      return project(id);
    },
    async renameProject(id, key) {
      await connection.get(sql.hold, id);
      const { key: old } = await project(id);
      connection.later("DELETE FROM project_aliases WHERE key = ?", key);
      connection.later("UPDATE projects SET key = ? WHERE id = ?", key, id);
      connection.later("INSERT INTO project_aliases (key, project_id) VALUES (?, ?)", old, id);
      tx.audit("project.rename", { subject: `project:${id}` });
      return project(id);
    },
    async setAliases(id, keys) {
      connection.later(sql.hold, id);
      connection.later(sql.removeAliases, id, keys);
      if (keys.length > 0) connection.later(sql.addAliases, id, keys);
      tx.audit("project.alias", { subject: `project:${id}` });
      return project(id);
    },
    async mergeProject(from, into) {
      await connection.all(sql.holdAll, [from, into]);
      const [gone, kept] = [await project(from), await project(into)];
      await closeAsOne(connection, kept, [gone, kept]);
      await noteFormer(connection, gone, into);
      await moveInto(tx, into, from);
      connection.later(
        "INSERT INTO project_aliases (key, project_id, joined_from) VALUES (?, ?, ?)",
        gone.key,
        into,
        withFormer(null, { key: gone.key, id: gone.id }),
      );
      await releaseItems(tx);
      tx.audit("project.join", { subject: `project:${into}` });
      return project(into);
    },
    async splitProject(id, key) {
      await connection.get(sql.hold, id);
      const part = await splitProject(tx, await project(id), key);
      await splitLimits(connection, id, part);
      await releaseItems(tx);
      tx.audit("project.split", { subject: `project:${part}` });
      return project(part);
    },
    async handOver(fromId, toId) {
      const count = await handOver(tx, fromId, toId);
      await releaseItems(tx);
      return count;
    },
  };
}
