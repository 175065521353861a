import {
  type ArchiveRecord,
  CannotOpen,
  type ConsolidationRecord,
  type EditRecord,
  type EntityRecord,
  type LinkRecord,
  type MemoryRecord,
  OUTSIDE_COLUMNS,
  projectKeyOf,
  type WorkRecord,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { assertCurrent, assertServer, assertWhole, type DatabaseOptions, withConnections } from "../open.ts";

export interface ExportOptions extends DatabaseOptions {
  /** Only what lies in the project of this key. */
  readonly project?: string | undefined;
  readonly withVectors: boolean;
}

const AT_ONCE = 500;
// A pipe may be read as slowly as its reader likes.
const STATEMENT_TIMEOUT_MS = 600_000;

/** A store's identity, and its records as they were at one moment, under concurrent writes. */
export interface Export {
  readonly storeUid: string;
  readonly records: AsyncGenerator<ArchiveRecord>;
}

/** Reads a whole store, from one snapshot of the database. */
export function exportRecords<T>(options: ExportOptions, work: (opened: Export) => Promise<T>): Promise<T> {
  return withConnections({ ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (reader) => {
    await assertServer(reader);
    await assertCurrent(reader);
    await assertWhole(reader);
    return reader.transaction(async (tx) => {
      tx.later("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      tx.later("SET LOCAL idle_in_transaction_session_timeout = 0");
      const row = await tx.get<{ value: string }>("SELECT value FROM meta WHERE key = 'store_uid'");
      return work({ storeUid: row?.value ?? "", records: recordsOf(tx, options) });
    });
  });
}

async function* recordsOf(
  connection: Reading,
  { project: stated, withVectors }: ExportOptions,
): AsyncGenerator<ArchiveRecord> {
  const project = stated === undefined ? undefined : projectKeyOf(stated);
  // Null: every project, and what lies in none.
  const projectId = project === undefined ? null : await findProject(connection, project);
  yield* projects(connection, project);
  yield* entities(connection, projectId);
  yield* memories(connection, projectId, withVectors);
  yield* links(connection, projectId);
  yield* edits(connection, projectId);
  yield* consolidations(connection, projectId);
  yield* work(connection, projectId);
}

const IS_WANTED = "(?::bigint IS NULL OR m.project_id = ?)";

interface ProjectCells {
  readonly key: string;
  readonly display_name: string | null;
  readonly access: "open" | "members";
  readonly members: string[];
  readonly aliases: string[];
}

async function* projects(connection: Reading, only: string | undefined): AsyncGenerator<ArchiveRecord> {
  const rows = await connection.all<ProjectCells>(
    `SELECT key, display_name, access,
       ARRAY(SELECT name FROM members WHERE id IN (SELECT member_id FROM project_members WHERE project_id = p.id) ORDER BY name) AS members,
       ARRAY(SELECT key FROM project_aliases WHERE project_id = p.id ORDER BY key) AS aliases
     FROM projects p ORDER BY id`,
  );
  for (const row of rows) if (only === undefined || row.key === only) yield { type: "project", ...row };
}

async function findProject(connection: Reading, key: string): Promise<number> {
  const row = await connection.get<{ id: number }>("SELECT id FROM projects WHERE key = ?", key);
  if (row) return row.id;
  throw new CannotOpen(
    `there is no project \`${key.slice(0, 200)}\` in this store`,
    "leave `--project` out to export all of it",
  );
}

/** Rows by id, some hundred at a time, so that a store of any size fits. @param sql ends with its condition; `?` is the id before. */
async function* pages<T extends { id: number }>(
  connection: Reading,
  sql: string,
  ...values: readonly (number | null)[]
): AsyncGenerator<readonly T[]> {
  for (let after = 0; ; ) {
    const rows = await connection.all<T>(`${sql} LIMIT ${AT_ONCE}`, after, ...values);
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

interface EntityCells extends Pick<EntityRecord, "uid" | "kind" | "name" | "created_at" | "updated_at" | "attributes"> {
  readonly id: number;
  readonly canonical_key: string | null;
  readonly aliases: EntityRecord["aliases"];
}

async function* entities(connection: Reading, projectId: number | null): AsyncGenerator<ArchiveRecord> {
  const sql = `SELECT e.id, e.uid, e.kind, e.name, e.canonical_key, e.created_at, e.updated_at, e.attributes,
      coalesce((SELECT json_agg(json_build_object('kind', a.kind, 'normalised_name', a.normalised_name) ORDER BY a.kind, a.normalised_name)
        FROM entity_aliases a WHERE a.entity_id = e.id), '[]') AS aliases
    FROM entities e WHERE e.id > ?
      AND (?::bigint IS NULL OR EXISTS (SELECT 1 FROM memories m WHERE m.entity_id = e.id AND m.project_id = ?)) ORDER BY e.id`;
  for await (const page of pages<EntityCells>(connection, sql, projectId, projectId))
    for (const { id: _, canonical_key, ...row } of page)
      yield { type: "entity", ...row, ...(canonical_key === null ? {} : { key: canonical_key }) };
}

type Cells = Readonly<Record<string, string | number | boolean | null>>;
type MemoryCells = Cells & {
  readonly id: number;
  readonly uid: string;
  readonly content: string;
  readonly visibility: MemoryRecord["visibility"];
  readonly "#entity": string;
  readonly "#project": string | null;
  readonly "#author": string;
  readonly "#successor": string | null;
};

async function* memories(
  connection: Reading,
  projectId: number | null,
  withVectors: boolean,
): AsyncGenerator<ArchiveRecord> {
  const sql = `SELECT m.*, e.uid AS "#entity", p.key AS "#project", a.name AS "#author", s.uid AS "#successor"
     FROM memories m JOIN entities e ON e.id = m.entity_id JOIN members a ON a.id = m.author_id
     LEFT JOIN projects p ON p.id = m.project_id LEFT JOIN memories s ON s.id = m.superseded_by_id
     WHERE m.id > ? AND ${IS_WANTED} ORDER BY m.id`;
  for await (const page of pages<MemoryCells>(connection, sql, projectId, projectId)) {
    const ids = page.map(({ id }) => id);
    const beside = await partsOf(connection, ids, withVectors);
    for (const row of page) yield { ...memoryOf(row), ...beside(row.id) };
  }
}

type Parts = Pick<MemoryRecord, "tags" | "files" | "sources" | "versions" | "accesses" | "vectors">;
interface OfMemory {
  readonly memory_id: number;
}

/** Parts of some memories, each kind asked for once. */
async function partsOf(
  connection: Reading,
  ids: readonly number[],
  withVectors: boolean,
): Promise<(id: number) => Parts> {
  const all = async <T>(sql: string) => {
    const rows = Map.groupBy(await connection.all<T & OfMemory>(sql, ids), ({ memory_id }) => memory_id);
    return (id: number) => (rows.get(id) ?? []).map(({ memory_id: _, ...row }) => row as T);
  };
  const [tags, files, sources, versions, accesses, vectors] = await Promise.all([
    all<{ tag: string }>("SELECT memory_id, tag FROM memory_tags WHERE memory_id = ANY (?) ORDER BY tag"),
    all<Parts["files"][number]>(
      "SELECT memory_id, path, role FROM memory_files WHERE memory_id = ANY (?) ORDER BY path, role",
    ),
    all<Parts["sources"][number]>(
      `SELECT memory_id, path, line, end_line, hash, git_commit, status, checked_at
       FROM memory_sources WHERE memory_id = ANY (?) ORDER BY path`,
    ),
    all<Parts["versions"][number]>(
      `SELECT memory_id, version, snapshot, op, reason, a.name AS author, changed_at FROM memory_versions
       JOIN members a ON a.id = author_id WHERE memory_id = ANY (?) ORDER BY version`,
    ),
    all<{ at: number }>(
      "SELECT memory_id, accessed_at AS at FROM memory_access_log WHERE memory_id = ANY (?) ORDER BY accessed_at, id",
    ),
    withVectors ? all<VectorCells>(VECTORS) : () => [],
  ]);
  return (id) => ({
    tags: tags(id).map(({ tag }) => tag),
    files: files(id),
    sources: sources(id),
    versions: versions(id),
    accesses: accesses(id).map(({ at }) => at),
    vectors: vectors(id).map(({ numbers, ...identity }) => ({ ...identity, vector: base64Of(numbers) })),
  });
}

type VectorCells = Omit<MemoryRecord["vectors"][number], "vector"> & { readonly numbers: readonly number[] };

const VECTORS = `SELECT v.memory_id, i.model, i.revision, i.dimensions, i.pooling, v.vector::real[] AS numbers
  FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id JOIN memories m ON m.id = v.memory_id
  WHERE v.memory_id = ANY (?) AND v.content_hash = m.content_hash ORDER BY i.id`;

const base64Of = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

function memoryOf(row: MemoryCells): Omit<MemoryRecord, keyof Parts> {
  const columns = Object.entries(row)
    .filter(([name, value]) => !name.startsWith("#") && !OUTSIDE_COLUMNS.has(name) && value !== null)
    .map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]);
  return {
    type: "memory",
    uid: row.uid,
    id: row.id,
    entity: row["#entity"],
    visibility: row.visibility,
    ...(row["#project"] === null ? {} : { project: row["#project"] }),
    author: row["#author"],
    content: row.content,
    columns: Object.fromEntries(columns),
    ...(row["#successor"] === null ? {} : { superseded_by: row["#successor"] }),
  };
}

async function* links(connection: Reading, projectId: number | null): AsyncGenerator<ArchiveRecord> {
  const rows = await connection.all<Omit<LinkRecord, "type">>(
    `SELECT m.uid AS "from", t.uid AS "to", l.type AS kind, l.note, l.origin, a.name AS author, l.created_at
     FROM memory_links l JOIN memories m ON m.id = l.from_id JOIN memories t ON t.id = l.to_id
     JOIN members a ON a.id = l.author_id WHERE ${IS_WANTED} ORDER BY l.from_id, l.to_id, l.type`,
    projectId,
    projectId,
  );
  for (const row of rows) yield { type: "link", ...row };
}

interface EditCells {
  readonly id: number;
  readonly author: string | null;
  readonly session_id: string;
  readonly file_path: string;
  readonly operation: EditRecord["operation"];
  readonly turn_uuid: string | null;
  readonly ordinal: number;
  readonly context_snippet: string | null;
  readonly occurred_at: number;
  readonly visibility: EditRecord["visibility"];
  readonly project: string | null;
  readonly memory: string | null;
}

const EDITS = `SELECT f.id, f.session_id, f.file_path, f.operation, f.turn_uuid, f.ordinal, f.context_snippet, f.occurred_at,
    m.uid AS memory, a.name AS author, p.key AS project,
    CASE WHEN f.space ~ '^m' THEN 'private' WHEN p.id IS NULL THEN 'team' ELSE 'project' END AS visibility
  FROM session_file_edits f LEFT JOIN memories m ON m.id = f.memory_id LEFT JOIN members a ON a.id = f.member_id
  LEFT JOIN projects p ON p.id = (regexp_match(f.space, 'p(\\d+)$'))[1]::bigint
  WHERE f.id > ? AND (?::bigint IS NULL OR p.id = ?) ORDER BY f.id`;

async function* edits(connection: Reading, projectId: number | null): AsyncGenerator<ArchiveRecord> {
  for await (const page of pages<EditCells>(connection, EDITS, projectId, projectId))
    for (const row of page)
      yield {
        type: "edit",
        session: row.session_id,
        file_path: row.file_path,
        operation: row.operation,
        ...(row.memory === null ? {} : { memory: row.memory }),
        visibility: row.visibility,
        ...(row.project === null ? {} : { project: row.project }),
        ...(row.author === null ? {} : { author: row.author }),
        turn: row.turn_uuid ?? `row:${row.id}`,
        ordinal: row.ordinal,
        snippet: row.context_snippet,
        occurred_at: row.occurred_at,
      };
}

async function* consolidations(connection: Reading, projectId: number | null): AsyncGenerator<ArchiveRecord> {
  const rows = await connection.all<Omit<ConsolidationRecord, "type">>(
    `SELECT m.uid AS summary, ARRAY(SELECT uid FROM memories WHERE id = ANY (c.replaced_ids) ORDER BY id) AS replaced,
       c.original_layer, c.created_at, c.undone_at
     FROM consolidations c JOIN memories m ON m.id = c.summary_id WHERE ${IS_WANTED} ORDER BY c.id`,
    projectId,
    projectId,
  );
  for (const row of rows) yield { type: "consolidation", ...row };
}

type WorkCells = Omit<WorkRecord, "type" | "project" | "author" | "closed_by" | "files"> & {
  readonly id: number;
  readonly project: string | null;
  readonly author: string;
  readonly closed_by: string | null;
  readonly files: string | null;
};

async function* work(connection: Reading, projectId: number | null): AsyncGenerator<ArchiveRecord> {
  const sql = `SELECT w.id, p.key AS project, a.name AS author, w.title, w.detail, w.priority, w.status, w.files, w.reason,
      c.uid AS closed_by, w.created_at, w.closed_at
    FROM work_items w JOIN members a ON a.id = w.author_id LEFT JOIN projects p ON p.id = w.project_id
    LEFT JOIN memories c ON c.id = w.closed_by_memory_id
    WHERE w.id > ? AND (?::bigint IS NULL OR w.project_id = ?) ORDER BY w.id`;
  for await (const page of pages<WorkCells>(connection, sql, projectId, projectId))
    for (const { id: _, project, closed_by, files, ...row } of page)
      yield {
        type: "work",
        ...row,
        files: files === null ? [] : JSON.parse(files),
        ...(project === null ? {} : { project }),
        ...(closed_by === null ? {} : { closed_by }),
      };
}
