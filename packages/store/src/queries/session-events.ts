import type { Space } from "@chest/core/access";
import { type SessionEvents, type SessionQuery, SURFACES } from "@chest/core/ports";
import { isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toDate, toMemory } from "../database/rows.ts";

const [MOST_MEMORIES, MOST_EDITS, MOST_SHOWN] = [500, 500, 1000] as const;

const sqlOf = statements((d) => {
  const open = (column: string) => d.isOneOf(column);
  const shown = `FROM injections i JOIN memories m ON m.id = i.memory_id AND ${open("m.space")}
    WHERE i.session_id = ? AND ${open("coalesce('p' || i.project_id, 'team')")}`;
  return {
    // Considers only rows that the caller may see: a session without any does not exist for it.
    members: `SELECT a.id, a.name, max(seen.at) AS last FROM (
        SELECT m.author_id AS member, m.created_at AS at FROM memories m WHERE m.session_id = ? AND ${open("m.space")}
          AND m.archived_at IS NULL AND ${isUnexpired("m")}
        UNION ALL SELECT e.member_id, e.occurred_at FROM session_file_edits e WHERE e.session_id = ? AND ${open("e.space")}
        UNION ALL SELECT i.member_id, i.at ${shown}) seen
      JOIN members a ON a.id = seen.member GROUP BY a.id, a.name ORDER BY last DESC, a.id`,
    memories: `SELECT ${memoryColumns(d)}, m.source AS rule, m.client ${MEMORY_FROM}
      WHERE m.session_id = ? AND m.author_id = ? AND m.archived_at IS NULL AND ${open("m.space")} AND ${isUnexpired("m")}
      ORDER BY m.created_at, m.id LIMIT ${MOST_MEMORIES}`,
    edits: `SELECT e.file_path AS path, e.operation, e.context_snippet AS intent, e.occurred_at AS at
      FROM session_file_edits e WHERE e.session_id = ? AND e.member_id = ? AND ${open("e.space")}
        AND e.operation IN ('edit', 'write') ORDER BY e.occurred_at, e.id LIMIT ${MOST_EDITS}`,
    shown: `SELECT i.memory_id AS memory, i.surface, i.tokens, i.at ${shown} AND i.member_id = ?
      ORDER BY i.at, i.memory_id LIMIT ${MOST_SHOWN}`,
    project: `SELECT p.key, s.client FROM sessions s LEFT JOIN projects p ON p.id = s.project_id AND ${open("'p' || p.id")}
      WHERE s.id = ? AND s.member_id = ? AND (s.project_id IS NULL OR p.id IS NOT NULL)`,
  };
});

type EventMemoryRow = MemoryRow & { readonly rule: string | null; readonly client: string | null };

/** Events of one member's session in these spaces; undefined if there are none. */
export async function sessionEvents(
  connection: Reading,
  { session, author, self, nowS }: SessionQuery & { readonly self: number; readonly nowS: number },
  open: readonly Space[],
): Promise<SessionEvents | undefined> {
  const sql = sqlOf(connection.dialect);
  const members = await connection.all<{ id: number; name: string }>(
    sql.members,
    session,
    open,
    nowS,
    session,
    open,
    open,
    session,
    open,
  );
  const member =
    author === undefined
      ? (members.find(({ id }) => id === self) ?? members[0])
      : members.find(({ name }) => name === author);
  if (!member) return undefined;
  const [memories, edits, shown, about] = await Promise.all([
    connection.all<EventMemoryRow>(sql.memories, session, member.id, open, nowS),
    connection.all<{ path: string; operation: string; intent: string | null; at: number }>(
      sql.edits,
      session,
      member.id,
      open,
    ),
    connection.all<{ memory: number; surface: string; tokens: number; at: number }>(
      sql.shown,
      open,
      session,
      open,
      member.id,
    ),
    connection.get<{ key: string | null; client: string | null }>(sql.project, open, session, member.id),
  ]);
  return {
    author: member.name,
    authorId: member.id,
    isOwn: member.id === self,
    project: about?.key ?? undefined,
    client: memories.findLast(({ client }) => client !== null)?.client ?? about?.client ?? undefined,
    memories: memories.map((row) => ({ memory: toMemory(row), rule: row.rule ?? undefined })),
    edits: edits.map(({ path, operation, intent, at }) => ({
      path,
      operation,
      intent: intent ?? undefined,
      at: toDate(at),
    })),
    shown: shown.map(({ memory, surface, tokens, at }) => ({
      memory,
      surface: SURFACES.find((known) => known === surface) ?? "prompt",
      tokens: Number(tokens),
      at: toDate(at),
    })),
  };
}
