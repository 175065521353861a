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
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { inSpaces } from "../search/condition.ts";

const IN_PLACE = inSpaces([]).sql;
const CHANGED = `m.operation IN ('edit', 'write') AND ${IN_PLACE}`;
const KEYS = `SELECT DISTINCT m.path_key AS key FROM session_file_edits m WHERE strpos(m.path_key, ?) > 0 AND ${CHANGED}`;
// Looked up by the hash of the path, as it is indexed.
const OF_KEYS = "md5(m.path_key) IN (SELECT md5(key) FROM unnest(?::text[]) AS wanted (key))";
const KEYS_OF_PATH = `SELECT DISTINCT m.path_key AS key FROM session_file_edits m WHERE ${OF_KEYS} AND ${CHANGED}`;
const EDITS = `SELECT m.path_key AS key, m.file_path AS path, m.operation, m.member_id || ':' || m.session_id AS session,
    m.occurred_at * 1000 AS at_ms, m.context_snippet AS intent, m.memory_id
  FROM session_file_edits m WHERE ${OF_KEYS} AND ${CHANGED} ORDER BY m.id`;

const NAMED = `SELECT id, name FROM entities WHERE kind = 'file'
  AND (strpos(replace(folded_name, E'\\\\', '/'), ?) > 0 OR strpos(?, btrim(replace(folded_name, E'\\\\', '/'), './')) > 0)`;
// The files that a memory is about, and those that it comes from.
const OF_FILES = `(SELECT memory_id, path FROM memory_files WHERE role = 'about'
  UNION ALL SELECT memory_id, path FROM memory_sources) f`;
const ABOUT = `SELECT DISTINCT f.path FROM ${OF_FILES} JOIN memories m ON m.id = f.memory_id WHERE ${IN_PLACE}
  AND (strpos(lower(replace(f.path, E'\\\\', '/')), ?) > 0 OR strpos(?, btrim(lower(replace(f.path, E'\\\\', '/')), './')) > 0)`;
const STATED = `SELECT DISTINCT f.memory_id FROM ${OF_FILES} WHERE f.path = ANY (?)`;
const MEMORIES = `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM}
  WHERE (m.id = ANY (?) OR m.entity_id = ANY (?)) AND m.archived_at IS NULL AND ${IN_PLACE}
  ORDER BY (m.layer IN ('realize', 'learning')) DESC, m.importance DESC, m.created_at DESC, m.id DESC LIMIT ?`;

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
  { part, isPath, roots, most }: Omit<FileHistoryQuery, "reach">,
  spaces: readonly Space[],
): Promise<FileHistory> {
  const isWanted = (key: string) => roots === undefined || isBelow(key, roots);
  const known = isPath
    ? await connection.all<{ key: string }>(KEYS_OF_PATH, keysOfPath(part), spaces)
    : await connection.all<{ key: string }>(KEYS, part, spaces);
  const { match, keys } = matchPaths(
    known.map(({ key }) => key),
    part,
    isPath,
  );
  const [edits, named, about] = await Promise.all([
    connection.all<EditRow>(EDITS, keys.filter(isWanted), spaces),
    connection.all<{ id: number; name: string }>(NAMED, part, part),
    connection.all<{ path: string }>(ABOUT, spaces, part, part),
  ]);
  const { history, memoryIds } = editHistory(edits.map(toEdit), most);
  const entities = named.filter(({ name }) => isNameOf(name, part) && isWanted(pathKeyOf(name)));
  const stated = about.map(({ path }) => path).filter((path) => isNameOf(path, part) && isWanted(pathKeyOf(path)));
  const statedIds = stated.length === 0 ? [] : await connection.ids(STATED, stated);
  const rows = await connection.all<MemoryRow>(
    MEMORIES,
    [...memoryIds, ...statedIds],
    entities.map(({ id }) => id),
    spaces,
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
