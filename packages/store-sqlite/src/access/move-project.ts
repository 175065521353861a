import { type ScopedRow, scopeOfRow } from "@chest/store/database/rows";
import type { Statements } from "../database/connection.ts";
import { changeTextRow, type Indexing } from "../full-text/text-rows.ts";
import { moveEntities } from "../memories/merge-entities.ts";

interface ProjectAccessOf {
  readonly id: number;
  readonly access: "open" | "members";
}

/** Closes the joined project if one of them was closed: only members of every closed project may open it. */
export function closeAsOne(
  connection: Statements,
  kept: Pick<ProjectAccessOf, "id">,
  projects: readonly ProjectAccessOf[],
): void {
  const closed = projects.filter(({ access }) => access === "members").map(({ id }) => id);
  if (closed.length === 0) return;
  const members = connection.ids(
    `SELECT member_id AS id FROM project_members WHERE project_id IN (SELECT value FROM json_each(?))
     GROUP BY member_id HAVING count(*) = ?`,
    JSON.stringify(closed),
    closed.length,
  );
  connection.run("UPDATE projects SET access = 'members' WHERE id = ?", kept.id);
  connection.run("DELETE FROM project_members WHERE project_id = ?", kept.id);
  for (const id of members)
    connection.run("INSERT INTO project_members (project_id, member_id) VALUES (?, ?)", kept.id, id);
}

/** Moves all that lies in one project into another, and takes the one away. */
export function moveInto({ sync: connection, index }: Indexing, to: number, from: number): void {
  moveEntities(connection, `space = 'p${from}' OR space GLOB 'm*p${from}'`, inSpaceOf(to, from));
  // A name is one memory's in its project.
  connection.run(
    `UPDATE memories SET name = NULL WHERE project_id = ?
       AND name IN (SELECT name FROM memories WHERE project_id = ? AND name IS NOT NULL)`,
    from,
    to,
  );
  const moved = connection.all<ScopedRow & { id: number }>(
    `UPDATE memories SET project_id = ?, space = ${inSpaceOf(to, from)} WHERE project_id = ?
     RETURNING id, space, archived_at, superseded_by_id`,
    to,
    from,
  );
  for (const row of moved) changeTextRow({ sync: connection, index }, row.id, { scope: scopeOfRow(row) });
  connection.run(
    `UPDATE session_file_edits SET space = ${inSpaceOf(to, from)} WHERE space = 'p${from}' OR space GLOB 'm*p${from}'`,
  );
  for (const table of ["sessions", "session_snapshots", "work_items", "gaps", "project_aliases", "audit_log"])
    connection.run(`UPDATE ${table} SET project_id = ? WHERE project_id = ?`, to, from);
  moveTokens(connection, to, from);
  connection.run("DELETE FROM project_members WHERE project_id = ?", from);
  connection.run("DELETE FROM projects WHERE id = ?", from);
}

/** A space as an SQL expression: `p3` and `m7p3` become `p1` and `m7p1`, any other stays. */
const inSpaceOf = (to: number, from: number): string => `CASE WHEN space = 'p${from}' OR space GLOB 'm[0-9]*p${from}'
    THEN substr(space, 1, length(space) - ${`p${from}`.length}) || 'p${to}' ELSE space END`;

function moveTokens(connection: Statements, to: number, from: number): void {
  const sql = "SELECT id, project_ids FROM tokens WHERE project_ids IS NOT NULL";
  for (const { id, project_ids } of connection.all<{ id: number; project_ids: string }>(sql)) {
    const ids: readonly number[] = JSON.parse(project_ids);
    if (!ids.includes(from)) continue;
    const joined = [...new Set(ids.map((each) => (each === from ? to : each)))];
    connection.run("UPDATE tokens SET project_ids = ? WHERE id = ?", JSON.stringify(joined), id);
  }
}
