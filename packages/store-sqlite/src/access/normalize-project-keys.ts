import { MAINTENANCE, projectKeyOf } from "@chest/core/access";
import { closeAsOne, moveInto } from "@chest/store/access/move-project";
import { addSpellings, missingSpellings } from "@chest/store/access/spellings";
import type { TextWrites } from "@chest/store/database/transaction";
import { statementsOf } from "../database/async-connection.ts";
import { Connection, type Statements } from "../database/connection.ts";
import { nextSeq } from "../database/write-queue.ts";
import { type Indexing, writesOfText } from "../full-text/text-rows.ts";

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
export async function joinSpellings(path: string, { isIndexed }: { readonly isIndexed: boolean }): Promise<number> {
  const connection = new Connection(path, { busyTimeoutMs: BUSY_MS });
  const index: Indexing["index"] = (task) => {
    if (isIndexed) task(connection);
  };
  try {
    if (!(await isDue(connection))) return 0;
    connection.run("BEGIN IMMEDIATE");
    const changed = await join(connection, writesOfText({ sync: connection, index }));
    connection.run("COMMIT");
    return changed;
  } catch (error) {
    if (connection.db.inTransaction) connection.run("ROLLBACK");
    throw error;
  } finally {
    connection.close();
  }
}

const isDue = async (connection: Statements): Promise<boolean> =>
  connection.all<{ key: string }>("SELECT key FROM projects").some(({ key }) => projectKeyOf(key) !== key) ||
  (await missingSpellings(statementsOf(connection))).length > 0;

async function join(connection: Statements, texts: TextWrites): Promise<number> {
  const shared = statementsOf(connection);
  const sql = `SELECT id, key, access, (SELECT count(*) FROM memories m WHERE m.project_id = p.id) AS memories
    FROM projects p ORDER BY id`;
  const byKey = Map.groupBy(connection.all<Spelling>(sql), ({ key }) => projectKeyOf(key));
  let changed = 0;
  for (const [key, spellings] of byKey) {
    const others = spellings.filter((each) => each.key !== key);
    // The fewest rows move.
    const kept = spellings.toSorted((a, b) => b.memories - a.memories || a.id - b.id)[0];
    if (others.length === 0 || kept === undefined) continue;
    await closeAsOne(shared, kept, spellings);
    for (const each of spellings) if (each !== kept) await moveInto({ connection: shared, texts }, kept.id, each.id);
    connection.run("UPDATE projects SET key = ? WHERE id = ?", key, kept.id);
    note(connection, kept.id);
    changed += others.length;
  }
  await addSpellings(shared);
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
