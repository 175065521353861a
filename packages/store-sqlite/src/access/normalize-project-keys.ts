import { MAINTENANCE, projectKeyOf } from "@chest/core";
import { Connection, type Statements } from "../database/connection.ts";
import type { Indexing } from "../full-text/text-rows.ts";
import { nextSeq } from "../writing/write-queue.ts";
import { closeAsOne, moveInto } from "./move-project.ts";

const BUSY_MS = 30_000;

interface Spelling {
  readonly id: number;
  readonly key: string;
  readonly access: "open" | "members";
  readonly memories: number;
}

/**
 * Rewrites the keys of projects in today's spelling, and joins projects whose keys differed in nothing else. The joined
 * project is closed if one of them was, and open to the members who were in every closed one. This runs before the first
 * request: until then, the project that agents reach would be open.
 * @returns how many keys were rewritten.
 */
export function joinSpellings(path: string, { isIndexed }: { readonly isIndexed: boolean }): number {
  const connection = new Connection(path, { busyTimeoutMs: BUSY_MS });
  const index: Indexing["index"] = (task) => {
    if (isIndexed) task(connection);
  };
  try {
    if (!isDue(connection)) return 0;
    return connection.db.transaction(() => join({ sync: connection, index })).immediate();
  } finally {
    connection.close();
  }
}

const isDue = (connection: Statements): boolean =>
  connection.all<{ key: string }>("SELECT key FROM projects").some(({ key }) => projectKeyOf(key) !== key);

function join(indexing: Indexing): number {
  const { sync: connection } = indexing;
  const sql = `SELECT id, key, access, (SELECT count(*) FROM memories m WHERE m.project_id = p.id) AS memories
    FROM projects p ORDER BY id`;
  const byKey = Map.groupBy(connection.all<Spelling>(sql), ({ key }) => projectKeyOf(key));
  let changed = 0;
  for (const [key, spellings] of byKey) {
    const others = spellings.filter((each) => each.key !== key);
    // The fewest rows move.
    const kept = spellings.toSorted((a, b) => b.memories - a.memories || a.id - b.id)[0];
    if (others.length === 0 || kept === undefined) continue;
    closeAsOne(connection, kept, spellings);
    for (const each of spellings) if (each !== kept) moveInto(indexing, kept.id, each.id);
    connection.run("UPDATE projects SET key = ? WHERE id = ?", key, kept.id);
    note(connection, kept.id);
    changed += others.length;
  }
  return changed;
}

function note(connection: Statements, id: number): void {
  connection.run(
    `INSERT INTO audit_log (seq, at, member_id, client, op, outcome, memory_ids, subject)
     VALUES (?, unixepoch(), ?, 'chest', 'project.join', 'ok', '[]', ?)`,
    nextSeq(connection),
    MAINTENANCE.id,
    `project:${id}`,
  );
}
