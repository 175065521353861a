import type { ProjectRow } from "@chest/core/ports";
import { NOTED_FORMER } from "@chest/core/redaction";
import type { Statements } from "../database/connection.ts";
import type { Dialect } from "../database/dialect.ts";
import { type ScopedRow, scopeOfRow } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { moveEntities } from "../memories/merge-entities.ts";

/** Joining must not give access to a member: only one who may open the more closed project may open both. */
export async function closeAsOne(
  connection: Statements,
  kept: Pick<ProjectRow, "id">,
  projects: readonly Pick<ProjectRow, "id" | "access">[],
): Promise<void> {
  const closed = projects.filter(({ access }) => access === "members").map(({ id }) => id);
  if (closed.length === 0) return;
  const members = await connection.ids(
    `SELECT member_id FROM project_members WHERE ${connection.dialect.isOneOf("project_id")}
     GROUP BY member_id HAVING count(*) = ? ORDER BY member_id`,
    closed,
    closed.length,
  );
  connection.later("UPDATE projects SET access = 'members' WHERE id = ?", kept.id);
  connection.later("DELETE FROM project_members WHERE project_id = ?", kept.id);
  connection.later(
    `INSERT INTO project_members (project_id, member_id) SELECT CAST(? AS bigint), v.value FROM ${connection.dialect.valuesOf("bigint", "v")}`,
    kept.id,
    members,
  );
}

/** Tables whose rows name no more of their project than its space, and those that name it. */
export const TABLES_OF_SPACE: readonly string[] = ["session_file_edits", "tombstones"];
const TABLES_OF_PROJECT = NOTED_FORMER.filter((table) => !TABLES_OF_SPACE.includes(table));

/** Moves all that lies in one project into another, and takes the one away. */
export async function moveInto(
  { connection, texts }: Pick<Transaction, "connection" | "texts">,
  to: number,
  from: number,
): Promise<void> {
  const { dialect } = connection;
  const isMoving = isOfProject(dialect, from);
  const target = inSpaceOf(isMoving, to, from);
  await connection.all(`SELECT id FROM memories WHERE project_id = ? ORDER BY id ${dialect.forUpdate}`, from);
  await moveEntities(connection, isMoving, target);
  // A name is one memory's in its project.
  connection.later(
    `UPDATE memories SET name = NULL WHERE project_id = ?
       AND name IN (SELECT name FROM memories WHERE project_id = ? AND name IS NOT NULL)`,
    from,
    to,
  );
  const moved = await connection.all<ScopedRow & { id: number }>(
    `UPDATE memories SET project_id = ?, space = ${target} WHERE project_id = ?
     RETURNING id, space, archived_at, superseded_by_id`,
    to,
    from,
  );
  await texts.move(moved.map((row) => ({ id: row.id, scope: scopeOfRow(row) })));
  for (const table of TABLES_OF_SPACE) connection.later(`UPDATE ${table} SET space = ${target} WHERE ${isMoving}`);
  for (const table of TABLES_OF_PROJECT.filter((each) => each !== "memories"))
    connection.later(`UPDATE ${table} SET project_id = ? WHERE project_id = ?`, to, from);
  await moveLimits(connection, to, from);
  connection.later("DELETE FROM project_members WHERE project_id = ?", from);
  connection.later("DELETE FROM projects WHERE id = ?", from);
}

/** The project's own space, and what is its members' alone there. */
export const isOfProject = (d: Dialect, id: number): string =>
  `(space = 'p${id}' OR (${d.startsWith("space", "m")} AND space LIKE '%p${id}'))`;

/** A space as an SQL expression: `p3` and `m7p3` become `p1` and `m7p1`, any other stays. */
export const inSpaceOf = (isMoving: string, to: number, from: number): string =>
  `CASE WHEN ${isMoving} THEN substr(space, 1, length(space) - ${`p${from}`.length}) || 'p${to}' ELSE space END`;

/** Tables whose rows may be limited to some projects. */
const LIMITED = ["tokens", "webhooks"];

/**
 * Opens a project to tokens and webhooks that are limited to one which is joined to it. They keep the id of that one: it names
 * nothing until a split makes the project again. Which one came by the joining is told by the order.
 */
async function moveLimits(connection: Statements, to: number, from: number): Promise<void> {
  await changeLimits(connection, from, (ids) => {
    const others = ids.filter((id) => id !== from && id !== to);
    return ids.includes(to) ? [...others, to, from] : [...others, from, to];
  });
}

/** Removes the projects that a join added to the limits of tokens and webhooks. */
export async function splitLimits(connection: Statements, whole: number, part: number): Promise<void> {
  await changeLimits(connection, part, (ids) =>
    ids.indexOf(whole) > ids.indexOf(part) ? ids.filter((id) => id !== whole) : ids,
  );
}

async function changeLimits(
  connection: Statements,
  ofProject: number,
  change: (ids: readonly number[]) => readonly number[],
): Promise<void> {
  for (const table of LIMITED) {
    const sql = `SELECT id, project_ids FROM ${table} WHERE project_ids IS NOT NULL ORDER BY id ${connection.dialect.forUpdate}`;
    for (const { id, project_ids } of await connection.all<{ id: number; project_ids: string }>(sql)) {
      const ids: readonly number[] = JSON.parse(project_ids);
      if (!ids.includes(ofProject)) continue;
      connection.later(`UPDATE ${table} SET project_ids = ? WHERE id = ?`, JSON.stringify(change(ids)), id);
    }
  }
}
