import type { Space } from "@chest/core/access";
import { editHistory, type FileEdit, isBelow, isNameOf, keysOfPath, matchPaths, pathKeyOf } from "@chest/core/files";
import type { FileHistory, FileHistoryQuery } from "@chest/core/ports";
import { isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";

const sqlOf = statements((d) => {
  const changed = `m.operation IN ('edit', 'write') AND ${d.isOneOf("m.space")}`;
  const ofKeys = `${d.indexedText("m.path_key")} IN (SELECT ${d.indexedText("w.value")} FROM ${d.valuesOf("text", "w")})`;
  // Files that a memory is about or comes from.
  const files = `(SELECT memory_id, path FROM memory_files WHERE role = 'about'
    UNION ALL SELECT memory_id, path FROM memory_sources) f`;
  const slashed = (path: string) => `replace(${path}, '\\', '/')`;
  /** Condition that a path contains the requested part, or the part contains the path. */
  const meets = (path: string) => `(${d.contains(path)} OR ${d.contains("CAST(? AS text)", `trim(${path}, './')`)})`;
  return {
    // Scans only the index of paths, which covers the query.
    keys: `SELECT DISTINCT m.path_key AS key FROM session_file_edits m WHERE ${d.contains("m.path_key")} AND ${changed}`,
    keysOfPath: `SELECT DISTINCT m.path_key AS key FROM session_file_edits m WHERE ${ofKeys} AND ${changed}`,
    edits: `SELECT m.path_key AS key, m.file_path AS path, m.operation, m.member_id || ':' || m.session_id AS session,
        m.occurred_at * 1000 AS at_ms, m.context_snippet AS intent, m.memory_id
      FROM session_file_edits m WHERE ${ofKeys} AND ${changed} ORDER BY m.id`,
    named: `SELECT id, name FROM entities WHERE kind = 'file' AND ${meets(slashed("folded_name"))}`,
    about: `SELECT DISTINCT f.path FROM ${files} WHERE ${meets(`lower(${slashed("f.path")})`)}`,
    stated: `SELECT DISTINCT f.memory_id FROM ${files} WHERE ${d.isOneOf("f.path")}`,
    // Two id lists joined by UNION: with OR, SQLite scans every memory in these spaces.
    memories: `SELECT ${memoryColumns(d)} ${MEMORY_FROM}
      WHERE m.id IN (
          SELECT v.value FROM ${d.valuesOf("bigint", "v")}
          UNION SELECT o.id FROM memories o WHERE ${d.isOneOf("o.entity_id")})
        AND m.archived_at IS NULL AND ${d.isOneOf("m.space")} AND ${isUnexpired("m")}
      ORDER BY (m.layer IN ('realize', 'learning')) DESC, m.importance DESC, m.created_at DESC, m.id DESC LIMIT ?`,
  };
});

interface EditRow {
  readonly key: string;
  readonly path: string;
  readonly operation: FileEdit["operation"];
  readonly session: string;
  readonly at_ms: number;
  readonly intent: string | null;
  readonly memory_id: number | null;
}

/** Lists the edits of files whose path contains a part. */
export async function fileHistory(
  connection: Reading,
  { part, isPath, roots, most, nowS }: Omit<FileHistoryQuery, "reach"> & { readonly nowS: number },
  spaces: readonly Space[],
): Promise<FileHistory> {
  const sql = sqlOf(connection.dialect);
  const isWanted = (key: string) => roots === undefined || isBelow(key, roots);
  const known = isPath
    ? await connection.all<{ key: string }>(sql.keysOfPath, keysOfPath(part), spaces)
    : await connection.all<{ key: string }>(sql.keys, part, spaces);
  const { match, keys } = matchPaths(
    known.map(({ key }) => key),
    part,
    isPath,
  );
  const [edits, named, about] = await Promise.all([
    connection.all<EditRow>(sql.edits, keys.filter(isWanted), spaces),
    connection.all<{ id: number; name: string }>(sql.named, part, part),
    connection.all<{ path: string }>(sql.about, part, part),
  ]);
  const { history, memoryIds } = editHistory(edits.map(toEdit), most);
  const entities = named.filter(({ name }) => isNameOf(name, part) && isWanted(pathKeyOf(name)));
  const stated = about.map(({ path }) => path).filter((path) => isNameOf(path, part) && isWanted(pathKeyOf(path)));
  const statedIds = stated.length === 0 ? [] : await connection.ids(sql.stated, stated);
  const rows = await connection.all<MemoryRow>(
    sql.memories,
    [...memoryIds, ...statedIds],
    entities.map(({ id }) => id),
    spaces,
    nowS,
    most.memories,
  );
  return { match, matched: keys.length, ...history, memories: rows.map(toMemory) };
}

const toEdit = ({ intent, memory_id, at_ms, ...row }: EditRow): FileEdit => ({
  ...row,
  atMs: at_ms,
  intent: intent ?? undefined,
  memoryId: memory_id ?? undefined,
});
