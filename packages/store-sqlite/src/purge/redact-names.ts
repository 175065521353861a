import { randomUUID } from "node:crypto";
import type { Clean } from "@chest/core";
import type { Transaction } from "../writing/transaction.ts";

const SESSIONS = [
  ["sessions", "id"],
  ["memories", "session_id"],
  ["session_file_edits", "session_id"],
  ["session_snapshots", "session_id"],
  ["work_items", "session_id"],
  ["injections", "session_id"],
] as const;

/** Writes names anew that people give and programs go by: keys of projects, ids of sessions, labels of tokens. */
export function rewriteNames(tx: Transaction, clean: Clean): void {
  renameProjects(tx, clean);
  renameSessions(tx, clean);
  const sql = "SELECT id, label FROM tokens";
  for (const { id, label } of tx.sync.all<{ id: number; label: string }>(sql))
    if (clean(label) !== label) tx.sync.run("UPDATE tokens SET label = ? WHERE id = ?", clean(label), id);
}

function renameProjects({ sync: connection }: Transaction, clean: Clean): void {
  for (const { id, key, display_name: shown } of connection.all<{
    id: number;
    key: string;
    display_name: string | null;
  }>("SELECT id, key, display_name FROM projects")) {
    const renamed = clean(key);
    if (shown !== null && clean(shown) !== shown)
      connection.run("UPDATE projects SET display_name = ? WHERE id = ?", clean(shown), id);
    if (renamed === key) continue;
    const isTaken = connection.get("SELECT 1 FROM projects WHERE key = ? AND id <> ?", renamed, id);
    // Two that differed in their secret alone stay two: they may be open to others.
    connection.run("UPDATE projects SET key = ? WHERE id = ?", isTaken ? `${renamed} ${id}` : renamed, id);
  }
}

function renameSessions({ sync: connection }: Transaction, clean: Clean): void {
  const every = SESSIONS.map(([table, column]) => `SELECT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL`);
  for (const { id } of connection.all<{ id: string }>(every.join(" UNION "))) {
    if (clean(id) === id) continue;
    const renamed = `redacted-${randomUUID()}`;
    for (const [table, column] of SESSIONS)
      connection.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, renamed, id);
  }
}
