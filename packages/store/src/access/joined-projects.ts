import { type FormerProject, splitFrom, withFormer } from "@chest/core/access";
import type { ProjectCounts, ProjectRow } from "@chest/core/ports";
import { NOTED_FORMER } from "@chest/core/redaction";
import type { Statements } from "../database/connection.ts";
import { type ScopedRow, scopeOfRow } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { findOrAddIn } from "../memories/entity-writes.ts";
import { moveEntities } from "../memories/merge-entities.ts";
import { inSpaceOf, isOfProject, TABLES_OF_SPACE } from "./move-project.ts";

/** Condition that a row of a table lies in a project. */
const liesIn = (connection: Statements, table: string, id: number): string =>
  TABLES_OF_SPACE.includes(table) ? isOfProject(connection.dialect, id) : `project_id = ${id}`;

async function notesIn(connection: Statements, table: string, id: number): Promise<readonly (string | null)[]> {
  const sql = `SELECT DISTINCT joined_from AS note FROM ${table} WHERE ${liesIn(connection, table, id)}`;
  return (await connection.all<{ note: string | null }>(sql)).map(({ note }) => note);
}

/** Notes at each row of a project where it lay, before all of it moves into another one: a split puts it back. */
export async function noteFormer(
  connection: Statements,
  { id, key }: Pick<ProjectRow, "id" | "key">,
  into: number,
): Promise<void> {
  await noteLostNames(connection, { id, key }, into);
  for (const table of NOTED_FORMER)
    for (const note of await notesIn(connection, table, id)) {
      if (splitFrom(note, key)) continue;
      connection.later(
        `UPDATE ${table} SET joined_from = ? WHERE ${liesIn(connection, table, id)} AND joined_from IS NOT DISTINCT FROM ?`,
        withFormer(note, { key }),
        note,
      );
    }
}

interface NamedMemoryRow {
  readonly id: number;
  readonly name: string;
  readonly note: string | null;
}

/** A name is one memory's in its project. */
async function noteLostNames(connection: Statements, { id, key }: FormerProjectOfStore, into: number): Promise<void> {
  const lost = await connection.all<NamedMemoryRow>(
    `SELECT id, name, joined_from AS note FROM memories
     WHERE project_id = ? AND name IN (SELECT name FROM memories WHERE project_id = ? AND name IS NOT NULL)`,
    id,
    into,
  );
  for (const { id: memory, name, note } of lost)
    connection.later("UPDATE memories SET joined_from = ? WHERE id = ?", withFormer(note, { key, name }), memory);
}

type FormerProjectOfStore = Pick<ProjectRow, "id" | "key">;

/** The note of a key that was joined to a project; undefined where no project of that key was. */
export async function formerOf(
  connection: Pick<Statements, "get">,
  id: number,
  key: string,
): Promise<FormerProject | undefined> {
  const sql = "SELECT joined_from AS note FROM project_aliases WHERE key = ? AND project_id = ?";
  const row = await connection.get<{ note: string | null }>(sql, key, id);
  return row && splitFrom(row.note, key)?.former;
}

const COUNTED = { memories: "memories", sessions: "sessions", tasks: "work_items", gaps: "gaps" } as const;

/** Rows of a project by kind: all of them, or those that lay in a project of a former key. */
export async function countIn(
  connection: Pick<Statements, "all">,
  id: number,
  former?: string,
): Promise<ProjectCounts> {
  const counts = { memories: 0, sessions: 0, tasks: 0, gaps: 0 };
  for (const [kind, table] of Object.entries(COUNTED)) {
    const sql = `SELECT joined_from AS note, count(*) AS n FROM ${table} WHERE project_id = ? GROUP BY joined_from`;
    for (const { note, n } of await connection.all<{ note: string | null; n: number }>(sql, id))
      if (former === undefined || splitFrom(note, former)) counts[kind as keyof ProjectCounts] += n;
  }
  return counts;
}

/** Ids of the memories of a project that lay in another one before. */
async function joinedMemories(connection: Pick<Statements, "all">, id: number, key: string) {
  const sql =
    "SELECT id, joined_from AS note FROM memories WHERE project_id = ? AND joined_from IS NOT NULL ORDER BY id";
  const rows = await connection.all<{ id: number; note: string | null }>(sql, id);
  return rows.filter(({ note }) => splitFrom(note, key) !== undefined).map((row) => row.id);
}

/**
 * Takes out of a project what lay in another one before both were joined, and makes that project again. It is open to those
 * who could open the joined one: a split opens nothing.
 * @returns its id
 */
export async function splitProject(tx: Transaction, whole: ProjectRow, key: string): Promise<number> {
  const { connection, nowS } = tx;
  const { dialect } = connection;
  const former = await formerOf(connection, whole.id, key);
  if (!former) throw new Error(`no project was joined to project ${whole.id} under that key`);
  const moved = await joinedMemories(connection, whole.id, key);
  await connection.all(
    `SELECT id FROM memories WHERE ${dialect.isOneOf("id")} ORDER BY id ${dialect.forUpdate}`,
    moved,
  );
  connection.later("DELETE FROM project_aliases WHERE key = ?", key);
  const to = await make(connection, { key, id: former.id, access: whole.access, nowS });
  connection.later(
    "INSERT INTO project_members (project_id, member_id) SELECT CAST(? AS bigint), member_id FROM project_members WHERE project_id = ?",
    to,
    whole.id,
  );
  const target = inSpaceOf(isOfProject(dialect, whole.id), to, whole.id);
  const lost = await lostNames(connection, moved, key);
  const noted = await Promise.all(NOTED_FORMER.map((table) => notesIn(connection, table, whole.id)));
  for (const [nth, table] of NOTED_FORMER.entries())
    for (const note of noted[nth] ?? []) {
      const split = splitFrom(note, key);
      if (!split) continue;
      const place = TABLES_OF_SPACE.includes(table)
        ? `space = ${target}`
        : `project_id = ${to}${table === "memories" ? `, space = ${target}` : ""}`;
      connection.later(
        `UPDATE ${table} SET joined_from = ?, ${place} WHERE ${liesIn(connection, table, whole.id)} AND joined_from = ?`,
        split.left,
        note,
      );
    }
  for (const { id, name } of lost) connection.later(NAME_BACK, name, id);
  // Statements that were forgotten while both were joined stay forgotten.
  connection.later(
    `UPDATE tombstones SET space = ${target} WHERE ${isOfProject(dialect, whole.id)} AND ${dialect.isOneOf("memory_id")}`,
    moved,
  );
  await splitEntities(tx, whole.id, to);
  const rows = await connection.all<ScopedRow & { id: number }>(
    `SELECT id, space, archived_at, superseded_by_id FROM memories WHERE ${dialect.isOneOf("id")} ORDER BY id`,
    moved,
  );
  await tx.texts.move(rows.map((row) => ({ id: row.id, scope: scopeOfRow(row) })));
  return to;
}

interface RestoredProject {
  readonly key: string;
  readonly id: number | undefined;
  readonly access: string;
  readonly nowS: number;
}

/** Makes the project again, under the id that it had: tokens and webhooks still name that. */
async function make(connection: Statements, { key, id, access, nowS }: RestoredProject): Promise<number> {
  const isFree = id !== undefined && (await connection.get("SELECT 1 FROM projects WHERE id = ?", id)) === undefined;
  const row = await connection.get<{ id: number }>(
    `INSERT INTO projects (key, access, created_at${isFree ? ", id" : ""}) VALUES (?, ?, ?${isFree ? ", ?" : ""}) RETURNING id`,
    ...[key, access, nowS, ...(isFree ? [id] : [])],
  );
  if (!row) throw new Error("an insert returned no id");
  return row.id;
}

/** Memories without a name, and the names that they lost to others of the joined project. */
async function lostNames(connection: Statements, moved: readonly number[], key: string) {
  const sql = `SELECT id, joined_from AS note FROM memories
    WHERE ${connection.dialect.isOneOf("id")} AND name IS NULL AND joined_from LIKE '%"name":%' ORDER BY id`;
  return (await connection.all<{ id: number; note: string }>(sql, moved)).flatMap(({ id, note }) => {
    const name = splitFrom(note, key)?.former.name;
    return name === undefined ? [] : [{ id, name }];
  });
}

// Another one of its project may have taken the name meanwhile.
const NAME_BACK = `UPDATE memories AS m SET name = v.name FROM (SELECT CAST(? AS text) AS name) v WHERE m.id = ?
  AND NOT EXISTS (SELECT 1 FROM memories o WHERE o.space = m.space AND o.name = v.name AND o.archived_at IS NULL)`;

interface Shared {
  readonly id: number;
  readonly space: string;
  readonly kind: Parameters<typeof findOrAddIn>[2]["kind"];
  readonly name: string;
  readonly canonical_key: string | null;
}

/** Splits entities: one that has memories in both projects is created in each; any other moves with its memories. */
async function splitEntities(tx: Transaction, from: number, to: number): Promise<void> {
  const { connection } = tx;
  const isThere = isOfProject(connection.dialect, from);
  const target = inSpaceOf(isThere, to, from);
  const isOfMoved = `id IN (SELECT entity_id FROM memories WHERE project_id = ${to})`;
  const isOfStaying = `id IN (SELECT entity_id FROM memories WHERE project_id IS DISTINCT FROM ${to})`;
  const shared = await connection.all<Shared>(
    `SELECT id, ${target} AS space, kind, name, canonical_key FROM entities WHERE ${isThere} AND ${isOfMoved} AND ${isOfStaying} ORDER BY id`,
  );
  for (const { id, space, kind, name, canonical_key } of shared) {
    const { entity } = await findOrAddIn(tx, space, { name, kind, key: canonical_key ?? undefined });
    connection.later("UPDATE memories SET entity_id = ? WHERE entity_id = ? AND project_id = ?", entity.id, id, to);
    connection.later(
      `INSERT INTO entity_aliases (space, kind, normalised_name, entity_id)
       SELECT CAST(? AS text), kind, normalised_name, CAST(? AS bigint) FROM entity_aliases WHERE entity_id = ? ON CONFLICT DO NOTHING`,
      space,
      entity.id,
      id,
    );
  }
  await moveEntities(connection, `${isThere} AND ${isOfMoved}`, target);
}
