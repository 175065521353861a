import {
  editHistory,
  type FileEdit,
  type FileHistory,
  type FileHistoryQuery,
  isBelow,
  isNameOf,
  keysOfPath,
  matchPaths,
  pathKeyOf,
  type Space,
} from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";

const CHANGED = "operation IN ('edit', 'write') AND space IN (SELECT value FROM json_each(?))";
// Walks the index on paths alone, which holds all that is asked.
const KEYS = `SELECT DISTINCT path_key AS key FROM session_file_edits WHERE instr(path_key, ?) > 0 AND ${CHANGED}`;
const KEYS_OF_PATH = `SELECT DISTINCT path_key AS key FROM session_file_edits
  WHERE path_key IN (SELECT value FROM json_each(?)) AND ${CHANGED}`;
const EDITS = `SELECT path_key AS key, file_path AS path, operation, member_id || ':' || session_id AS session, occurred_at * 1000 AS atMs,
    context_snippet AS intent, memory_id AS memoryId
  FROM session_file_edits WHERE path_key IN (SELECT value FROM json_each(?)) AND ${CHANGED}`;

const NAMED = `SELECT id, name FROM entities WHERE kind = 'file'
  AND (instr(replace(folded_name, '\\', '/'), ?) > 0 OR instr(?, trim(replace(folded_name, '\\', '/'), './')) > 0)`;
// The files that a memory is about, and those that it comes from.
const OF_FILES = `(SELECT memory_id, path FROM memory_files WHERE role = 'about'
  UNION ALL SELECT memory_id, path FROM memory_sources)`;
const ABOUT = `SELECT DISTINCT path FROM ${OF_FILES} WHERE
  (instr(lower(replace(path, '\\', '/')), ?) > 0 OR instr(?, trim(lower(replace(path, '\\', '/')), './')) > 0)`;
const STATED = `SELECT memory_id FROM ${OF_FILES} WHERE path IN (SELECT value FROM json_each(?))`;
// Two lists joined by their ids: with OR between them SQLite goes through every memory in these spaces.
const MEMORIES = `SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM}
  WHERE m.id IN (
      SELECT value FROM json_each(?)
      UNION SELECT id FROM memories WHERE entity_id IN (SELECT value FROM json_each(?)))
    AND m.archived_at IS NULL AND m.space IN (SELECT value FROM json_each(?))
  ORDER BY m.layer IN ('realize', 'learning') DESC, m.importance DESC, m.created_at DESC, m.id DESC LIMIT ?`;

type EditRow = Omit<FileEdit, "intent" | "memoryId"> & {
  readonly intent: string | null;
  readonly memoryId: number | null;
};

/** Lists the edits of files whose path contains a part. */
export function fileHistory(
  connection: Connection,
  { part, isPath, roots, most }: Omit<FileHistoryQuery, "reach">,
  spaces: readonly Space[],
): FileHistory {
  const isWanted = (key: string) => roots === undefined || isBelow(key, roots);
  const open = JSON.stringify(spaces);
  const known = isPath
    ? connection.all<{ key: string }>(KEYS_OF_PATH, JSON.stringify(keysOfPath(part)), open)
    : connection.all<{ key: string }>(KEYS, part, open);
  const { match, keys } = matchPaths(
    known.map(({ key }) => key),
    part,
    isPath,
  );
  const { history, memoryIds } = editHistory(editsOf(connection, keys.filter(isWanted), open), most);
  const entities = connection
    .all<{ id: number; name: string }>(NAMED, part, part)
    .filter(({ name }) => isNameOf(name, part) && isWanted(pathKeyOf(name)));
  const stated = connection
    .all<{ path: string }>(ABOUT, part, part)
    .filter(({ path }) => isNameOf(path, part) && isWanted(pathKeyOf(path)));
  const statedIds = connection.ids(STATED, JSON.stringify(stated.map(({ path }) => path)));
  const about = [JSON.stringify([...memoryIds, ...statedIds]), JSON.stringify(entities.map(({ id }) => id))];
  return {
    match,
    matched: keys.length,
    ...history,
    memories: connection.all<MemoryRow>(MEMORIES, ...about, open, most.memories).map(toMemory),
  };
}

/** One at a time: a part that is in every path has all edits there are. */
function* editsOf(connection: Connection, keys: readonly string[], open: string): Generator<FileEdit> {
  for (const row of connection.iterate<EditRow>(EDITS, JSON.stringify(keys), open)) yield toEdit(row);
}

const toEdit = ({ intent, memoryId, ...row }: EditRow): FileEdit => ({
  ...row,
  intent: intent ?? undefined,
  memoryId: memoryId ?? undefined,
});
