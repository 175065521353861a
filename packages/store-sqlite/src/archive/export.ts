import { existsSync } from "node:fs";
import {
  type ArchiveRecord,
  CannotOpen,
  OUTSIDE_COLUMNS,
  projectKeyOf,
  type Visibility,
  type WorkItem,
} from "@chest/core";
import { Connection } from "../database/connection.ts";
import { due, readMigrations } from "../database/migrations.ts";
import { assertNotLost } from "../store-file/missing-store-guard.ts";

export interface ExportOptions {
  readonly path: string;
  /** Only what lies in the project of this key. */
  readonly project?: string | undefined;
  readonly withVectors: boolean;
}

const AT_ONCE = 500;
type Cells = Record<string, string | number | null>;
type EntityRecord = Extract<ArchiveRecord, { type: "entity" }>;

/** A store's identity, and its records as they were at one moment, under concurrent writes. */
export function openExport(options: ExportOptions): {
  storeUid: string;
  records(): Generator<ArchiveRecord>;
  close(): void;
} {
  const { path } = options;
  assertNotLost(path);
  if (!existsSync(path)) {
    throw new CannotOpen(`there is no store at ${path}`, "name another one with CHEST_DB_PATH or CHEST_DATA_DIR");
  }
  const connection = new Connection(path, { readonly: true });
  try {
    if (due(connection.db, readMigrations(), path).length > 0) {
      throw new CannotOpen(`${path} is of an older release`, "open it once with this one: `chest-index status`");
    }
    connection.db.exec("BEGIN");
    const storeUid = connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'store_uid'")?.value ?? "";
    return { storeUid, records: () => recordsOf(connection, options), close: () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function* recordsOf(connection: Connection, { project: stated, withVectors }: ExportOptions): Generator<ArchiveRecord> {
  const project = stated === undefined ? undefined : projectKeyOf(stated);
  const projectId = project === undefined ? undefined : findProject(connection, project);
  const isWanted = projectId === undefined ? "1" : `m.project_id = ${projectId}`;
  yield* projects(connection, project);
  for (const row of paged<Cells & { id: number }>(
    connection,
    `SELECT e.* FROM entities e WHERE e.id > ? AND (${projectId === undefined ? "1" : `EXISTS (SELECT 1 FROM memories m WHERE m.entity_id = e.id AND ${isWanted})`}) ORDER BY e.id`,
  )) {
    yield entityRecord(connection, row);
  }
  for (const row of paged<MemoryCells>(
    connection,
    `SELECT m.*, e.uid AS "#entity", p.key AS "#project", a.name AS "#author", s.uid AS "#successor"
     FROM memories m JOIN entities e ON e.id = m.entity_id JOIN members a ON a.id = m.author_id
     LEFT JOIN projects p ON p.id = m.project_id LEFT JOIN memories s ON s.id = m.superseded_by_id
     WHERE m.id > ? AND ${isWanted} ORDER BY m.id`,
  )) {
    yield memoryRecord(connection, row, withVectors);
  }
  yield* links(connection, isWanted);
  yield* edits(connection, projectId);
  yield* consolidations(connection, isWanted);
  yield* work(connection, projectId);
}

interface ProjectCells {
  readonly id: number;
  readonly key: string;
  readonly display_name: string | null;
  readonly access: "open" | "members";
}

function* projects(connection: Connection, only: string | undefined): Generator<ArchiveRecord> {
  const members = "SELECT name FROM members WHERE id IN (SELECT member_id FROM project_members WHERE project_id = ?)";
  for (const { id, ...project } of connection.all<ProjectCells>(
    "SELECT id, key, display_name, access FROM projects ORDER BY id",
  )) {
    if (only !== undefined && project.key !== only) continue;
    const names = connection.all<{ name: string }>(`${members} ORDER BY name`, id).map(({ name }) => name);
    const others = "SELECT key FROM project_aliases WHERE project_id = ? ORDER BY key";
    const aliases = connection.all<{ key: string }>(others, id).map(({ key }) => key);
    yield { type: "project", ...project, members: names, aliases };
  }
}

function findProject(connection: Connection, key: string): number {
  const row = connection.get<{ id: number }>("SELECT id FROM projects WHERE key = ?", key);
  if (row) return row.id;
  throw new CannotOpen(
    `there is no project \`${key.slice(0, 200)}\` in this store`,
    "leave `--project` out to export all of it",
  );
}

/** Rows by id, some hundred at a time, so that a store of any size fits. */
function* paged<T extends { id: number }>(connection: Connection, sql: string): Generator<T> {
  let after = 0;
  for (;;) {
    const rows = connection.all<T>(`${sql} LIMIT ${AT_ONCE}`, after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

function entityRecord(connection: Connection, row: Cells & { id: number }): ArchiveRecord {
  const sql = "SELECT kind, normalised_name FROM entity_aliases WHERE entity_id = ? ORDER BY kind, normalised_name";
  return {
    ...({ type: "entity", uid: row.uid, kind: row.kind, name: row.name } as EntityRecord),
    ...(row.canonical_key === null ? {} : { key: String(row.canonical_key) }),
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
    attributes: row.attributes === null ? null : String(row.attributes),
    aliases: connection.all<EntityRecord["aliases"][number]>(sql, row.id),
  };
}

type MemoryRecord = Extract<ArchiveRecord, { type: "memory" }>;
type MemoryCells = Cells & {
  readonly id: number;
  readonly uid: string;
  readonly content: string;
  readonly visibility: Visibility;
  readonly "#entity": string;
  readonly "#project": string | null;
  readonly "#author": string;
  readonly "#successor": string | null;
};

function memoryRecord(connection: Connection, row: MemoryCells, withVectors: boolean): ArchiveRecord {
  const all = <T>(sql: string) => connection.all<T>(sql, row.id);
  const columns = Object.entries(row).filter(
    ([name, value]) => !name.startsWith("#") && !OUTSIDE_COLUMNS.has(name) && value !== null && !isBytes(value),
  );
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
    tags: all<{ tag: string }>("SELECT tag FROM memory_tags WHERE memory_id = ? ORDER BY tag").map(({ tag }) => tag),
    files: all("SELECT path, role FROM memory_files WHERE memory_id = ? ORDER BY path, role"),
    sources: all(
      "SELECT path, line, end_line, hash, git_commit, status, checked_at FROM memory_sources WHERE memory_id = ? ORDER BY path",
    ),
    versions: all(
      `SELECT version, snapshot, op, reason, a.name AS author, changed_at FROM memory_versions
       JOIN members a ON a.id = author_id WHERE memory_id = ? ORDER BY version`,
    ),
    accesses: all<{ at: number }>(
      "SELECT accessed_at AS at FROM memory_access_log WHERE memory_id = ? ORDER BY accessed_at",
    ).map(({ at }) => at),
    vectors: withVectors ? vectorsOf(connection, row.id) : [],
  };
}

const isBytes = (value: unknown): boolean => value instanceof Uint8Array;

function vectorsOf(connection: Connection, id: number): MemoryRecord["vectors"] {
  const sql = `SELECT i.model, i.revision, i.dimensions, i.pooling, v.vector
    FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id JOIN memories m ON m.id = v.memory_id
    WHERE v.memory_id = ? AND v.content_hash = m.content_hash AND i.prefix = '' ORDER BY i.id`;
  type Stored = Omit<MemoryRecord["vectors"][number], "vector"> & { readonly vector: Buffer };
  return connection
    .all<Stored>(sql, id)
    .map(({ vector, ...identity }) => ({ ...identity, vector: vector.toString("base64") }));
}

function* links(connection: Connection, isWanted: string): Generator<ArchiveRecord> {
  yield* connection
    .all<Omit<Extract<ArchiveRecord, { type: "link" }>, "type">>(
      `SELECT m.uid AS "from", t.uid AS "to", l.type AS kind, l.note, l.origin, a.name AS author, l.created_at
       FROM memory_links l JOIN memories m ON m.id = l.from_id JOIN memories t ON t.id = l.to_id
       JOIN members a ON a.id = l.author_id WHERE ${isWanted} ORDER BY l.from_id, l.to_id, l.type`,
    )
    .map((link) => ({ type: "link" as const, ...link }));
}

interface EditCells {
  readonly id: number;
  readonly member_id: number;
  readonly session_id: string;
  readonly file_path: string;
  readonly operation: "read" | "edit" | "write" | "bash";
  readonly turn_uuid: string | null;
  readonly ordinal: number;
  readonly context_snippet: string | null;
  readonly occurred_at: number;
  readonly space: string;
  readonly memory: string | null;
}

function* edits(connection: Connection, projectId: number | undefined): Generator<ArchiveRecord> {
  const members = namesOf(connection, "SELECT id, name FROM members");
  const projects = namesOf(connection, "SELECT id, key AS name FROM projects");
  const sql = `SELECT f.*, m.uid AS memory FROM session_file_edits f LEFT JOIN memories m ON m.id = f.memory_id
    WHERE f.id > ? ORDER BY f.id`;
  for (const row of paged<EditCells>(connection, sql)) {
    const [, owner, project] = /^(?:m(\d+))?(?:p(\d+))?$/.exec(row.space) ?? [];
    if (projectId !== undefined && Number(project) !== projectId) continue;
    const key = projects.get(Number(project));
    const author = members.get(row.member_id);
    yield {
      type: "edit",
      session: row.session_id,
      file_path: row.file_path,
      operation: row.operation,
      ...(row.memory === null ? {} : { memory: row.memory }),
      visibility: owner !== undefined ? "private" : key === undefined ? "team" : "project",
      ...(key === undefined ? {} : { project: key }),
      ...(author === undefined ? {} : { author }),
      turn: row.turn_uuid ?? `row:${row.id}`,
      ordinal: row.ordinal,
      snippet: row.context_snippet,
      occurred_at: row.occurred_at,
    };
  }
}

function namesOf(connection: Connection, sql: string): Map<number, string> {
  return new Map(connection.all<{ id: number; name: string }>(sql).map(({ id, name }) => [id, name]));
}

interface ConsolidationCells {
  readonly summary: string;
  readonly replaced_ids: string;
  readonly original_layer: string;
  readonly created_at: number;
  readonly undone_at: number | null;
}

function* consolidations(connection: Connection, isWanted: string): Generator<ArchiveRecord> {
  const rows = connection.all<ConsolidationCells>(
    `SELECT m.uid AS summary, c.replaced_ids, c.original_layer, c.created_at, c.undone_at
     FROM consolidations c JOIN memories m ON m.id = c.summary_id WHERE ${isWanted} ORDER BY c.id`,
  );
  for (const { replaced_ids, ...row } of rows) {
    const uids = connection.all<{ uid: string }>(
      "SELECT uid FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
      replaced_ids,
    );
    yield { type: "consolidation", replaced: uids.map(({ uid }) => uid), ...row };
  }
}

interface WorkCells {
  readonly id: number;
  readonly project: string | null;
  readonly author: string;
  readonly title: string;
  readonly detail: string | null;
  readonly priority: WorkItem["priority"];
  readonly status: WorkItem["status"];
  readonly files: string | null;
  readonly reason: string | null;
  readonly closed_by: string | null;
  readonly created_at: number;
  readonly closed_at: number | null;
}

function* work(connection: Connection, projectId: number | undefined): Generator<ArchiveRecord> {
  const sql = `SELECT w.id, p.key AS project, a.name AS author, w.title, w.detail, w.priority, w.status, w.files, w.reason,
      m.uid AS closed_by, w.created_at, w.closed_at
    FROM work_items w JOIN members a ON a.id = w.author_id LEFT JOIN projects p ON p.id = w.project_id
    LEFT JOIN memories m ON m.id = w.closed_by_memory_id
    WHERE w.id > ? AND ${projectId === undefined ? "1" : `w.project_id = ${projectId}`} ORDER BY w.id`;
  for (const { id: _, project, closed_by, files, ...row } of paged<WorkCells>(connection, sql)) {
    yield {
      type: "work",
      ...row,
      files: files === null ? [] : JSON.parse(files),
      ...(project === null ? {} : { project }),
      ...(closed_by === null ? {} : { closed_by }),
    };
  }
}
