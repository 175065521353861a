import { randomUUID } from "node:crypto";
import { renamedFormer } from "@chest/core/access";
import { type Clean, NOTED_FORMER } from "@chest/core/redaction";
import type { Transaction } from "../database/transaction.ts";

/** Columns with session ids. */
const SESSIONS = [
  ["sessions", "id"],
  ["memories", "session_id"],
  ["session_file_edits", "session_id"],
  ["session_snapshots", "session_id"],
  ["work_items", "session_id"],
  ["injections", "session_id"],
] as const;

/** Redacts names that programs use: project keys, session ids, token labels. */
export async function rewriteNames(tx: Transaction, clean: Clean): Promise<void> {
  const { connection } = tx;
  await renameProjects(tx, clean);
  await renameFormer(tx, clean);
  await renameSessions(tx, clean);
  for (const { id, label } of await connection.all<{ id: number; label: string }>("SELECT id, label FROM tokens"))
    if (clean(label) !== label) connection.later("UPDATE tokens SET label = ? WHERE id = ?", clean(label), id);
}

interface ProjectName {
  readonly id: number;
  readonly key: string;
  readonly display_name: string | null;
}

async function renameProjects({ connection }: Transaction, clean: Clean): Promise<void> {
  const sql = `SELECT id, key, display_name FROM projects ORDER BY id ${connection.dialect.forUpdate}`;
  for (const { id, key, display_name: shown } of await connection.all<ProjectName>(sql)) {
    const renamed = clean(key);
    if (shown !== null && clean(shown) !== shown)
      connection.later("UPDATE projects SET display_name = ? WHERE id = ?", clean(shown), id);
    if (renamed === key) continue;
    const isTaken = await connection.get("SELECT 1 FROM projects WHERE key = ? AND id <> ?", renamed, id);
    // Two projects that differed only in a secret stay separate, because they may have different members.
    await connection.run("UPDATE projects SET key = ? WHERE id = ?", isTaken ? `${renamed} ${id}` : renamed, id);
  }
}

/** Redacts aliases of projects, and the notes of rows that came from one of them, so that a split still finds them. */
async function renameFormer({ connection }: Transaction, clean: Clean): Promise<void> {
  const renamed = new Map<string, string>();
  const sql = `SELECT key FROM project_aliases ORDER BY key ${connection.dialect.forUpdate}`;
  for (const { key } of await connection.all<{ key: string }>(sql)) {
    const cleaned = clean(key);
    if (cleaned === key) continue;
    const taken = "SELECT 1 FROM project_aliases WHERE key = ? UNION SELECT 1 FROM projects WHERE key = ?";
    const name = (await connection.get(taken, cleaned, cleaned)) ? `${cleaned} ${randomUUID()}` : cleaned;
    await connection.run("UPDATE project_aliases SET key = ? WHERE key = ?", name, key);
    renamed.set(key, name);
  }
  const rename = { key: (key: string) => renamed.get(key) ?? clean(key), name: clean };
  for (const table of NOTED_FORMER) {
    const notes = `SELECT DISTINCT joined_from AS note FROM ${table} WHERE joined_from IS NOT NULL`;
    for (const { note } of await connection.all<{ note: string }>(notes)) {
      const cleaned = renamedFormer(note, rename);
      if (cleaned !== note)
        connection.later(`UPDATE ${table} SET joined_from = ? WHERE joined_from = ?`, cleaned, note);
    }
  }
}

async function renameSessions({ connection }: Transaction, clean: Clean): Promise<void> {
  const every = SESSIONS.map(([table, column]) => `SELECT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL`);
  for (const { id } of await connection.all<{ id: string }>(every.join(" UNION "))) {
    if (clean(id) === id) continue;
    const renamed = `redacted-${randomUUID()}`;
    // Edits refer to their session and are updated with it.
    for (const [table, column] of SESSIONS)
      connection.later(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, renamed, id);
  }
}
