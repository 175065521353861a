import { LOCAL, type MemoryRecord, type ProjectRecord, redact, storableProjectKey } from "@chest/core";
import type { Transaction } from "../writing/transaction.ts";

/** Places a record: its space and its author. */
export const placeOf = (tx: Transaction, { author, project }: Pick<MemoryRecord, "author" | "project">) => ({
  projectId: projectOf(tx, project && storableProjectKey(project)),
  author: memberNamed(tx, author),
});

/** The project of a key, made on first use. A caller with the file itself may write into every one. */
function projectOf({ sync: connection, nowS }: Transaction, key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const known =
    connection.get<{ id: number }>("SELECT id FROM projects WHERE key = ?", key) ??
    connection.get<{ id: number }>("SELECT project_id AS id FROM project_aliases WHERE key = ?", key);
  const sql = "INSERT INTO projects (key, created_at) VALUES (?, ?) RETURNING id";
  return (known ?? connection.get<{ id: number }>(sql, key, nowS))?.id;
}

/** Makes a project for whom it was open to where it came from; one that is here already stays open to whom it is. */
export function openOnlyTo(tx: Transaction, { key, display_name, access, members, aliases }: ProjectRecord): void {
  const { sync: connection, nowS } = tx;
  const ownKey = storableProjectKey(key);
  if (connection.get("SELECT 1 FROM projects WHERE key = ?", ownKey) !== undefined) return;
  const made = connection.get<{ id: number }>(
    "INSERT INTO projects (key, display_name, access, created_at) VALUES (?, ?, ?, ?) RETURNING id",
    ownKey,
    display_name && redact(display_name),
    access,
    nowS,
  );
  if (!made) throw new Error("an insert returned no id");
  for (const name of members) {
    const sql = "INSERT OR IGNORE INTO project_members (project_id, member_id) VALUES (?, ?)";
    connection.run(sql, made.id, memberNamed(tx, name).id);
  }
  for (const alias of aliases) {
    connection.run(
      "INSERT OR IGNORE INTO project_aliases (key, project_id) VALUES (?, ?)",
      storableProjectKey(alias),
      made.id,
    );
  }
}

/** Finds the author by name; the importing member where no author is named. */
export function memberNamed({ sync: connection, nowS }: Transaction, name: string | undefined) {
  if (name === undefined) return LOCAL;
  const known = connection.get<{ id: number }>("SELECT id FROM members WHERE name = ?", name);
  const sql = "INSERT INTO members (name, created_at) VALUES (?, ?) RETURNING id";
  const id = known?.id ?? connection.get<{ id: number }>(sql, name, nowS)?.id;
  if (id === undefined) throw new Error("an insert returned no id");
  return { id, name };
}
