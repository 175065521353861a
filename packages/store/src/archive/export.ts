import { formerKeysOf, projectKeyOf } from "@chest/core/access";
import {
  type ArchiveRecord,
  type EditRecord,
  type EntityRecord,
  type InboxRecord,
  type LinkRecord,
  type MemoryRecord,
  OUTSIDE_COLUMNS,
  type WorkRecord,
} from "@chest/core/archive";
import { CannotOpen } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import { PROJECT_OF_KEY, spellingsOf } from "../database/places.ts";

export interface ExportOptions {
  /** Key of the only project to export. */
  readonly project?: string | undefined;
  readonly withVectors: boolean;
}

/** A store's identity and its records, all from one snapshot. */
export interface Export {
  readonly storeUid: string;
  readonly records: AsyncGenerator<ArchiveRecord>;
}

/**
 * Reads a whole store.
 * @param connection reads from one snapshot
 */
export async function exportOf(connection: Reading, options: ExportOptions): Promise<Export> {
  const row = await connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'store_uid'");
  return { storeUid: row?.value ?? "", records: recordsOf(connection, options) };
}

const AT_ONCE = 500;

async function* recordsOf(
  connection: Reading,
  { project: stated, withVectors }: ExportOptions,
): AsyncGenerator<ArchiveRecord> {
  // Undefined: every project, and memories without one.
  const projectId = stated === undefined ? undefined : await findProject(connection, projectKeyOf(stated));
  const isWanted = projectId === undefined ? "true" : `m.project_id = ${projectId}`;
  yield* projects(connection, projectId);
  yield* entities(connection, projectId);
  yield* memories(connection, isWanted, withVectors);
  yield* links(connection, isWanted);
  yield* edits(connection, projectId);
  yield* consolidations(connection, isWanted);
  yield* work(connection, projectId);
  yield* inboxNotes(connection, isWanted);
}

const sqlOf = statements((d) => ({
  projects: `SELECT id, key, display_name, access,
      ${d.listOf("name", "members WHERE id IN (SELECT member_id FROM project_members WHERE project_id = p.id)")} AS members,
      ${d.listOf("key", "project_aliases WHERE project_id = p.id")} AS aliases
    FROM projects p ORDER BY id`,
  aliases: `SELECT entity_id AS owner, kind, normalised_name FROM entity_aliases
    WHERE ${d.isOneOf("entity_id")} ORDER BY kind, normalised_name`,
  tags: `SELECT memory_id AS owner, tag FROM memory_tags WHERE ${d.isOneOf("memory_id")} ORDER BY tag`,
  files: `SELECT memory_id AS owner, path, role FROM memory_files WHERE ${d.isOneOf("memory_id")} ORDER BY path, role`,
  sources: `SELECT memory_id AS owner, path, line, end_line, hash, git_commit, status, checked_at
    FROM memory_sources WHERE ${d.isOneOf("memory_id")} ORDER BY path`,
  versions: `SELECT memory_id AS owner, version, snapshot, op, reason, a.name AS author, changed_at
    FROM memory_versions JOIN members a ON a.id = author_id WHERE ${d.isOneOf("memory_id")} ORDER BY version`,
  accesses: `SELECT memory_id AS owner, accessed_at AS at FROM memory_access_log
    WHERE ${d.isOneOf("memory_id")} ORDER BY accessed_at, ${d.rowNumber}`,
  vectors: `SELECT v.memory_id AS owner, i.model, i.revision, i.dimensions, i.pooling, ${d.vector("v.vector")} AS vector
    FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id JOIN memories m ON m.id = v.memory_id
    WHERE ${d.isOneOf("v.memory_id")} AND v.content_hash = m.content_hash ORDER BY i.id`,
  uids: `SELECT uid FROM memories WHERE ${d.isOneOf("id")} ORDER BY id`,
}));

interface ProjectCells {
  readonly id: number;
  readonly key: string;
  readonly display_name: string | null;
  readonly access: "open" | "members";
  readonly members: readonly string[] | string;
  readonly aliases: readonly string[] | string;
}

async function* projects(connection: Reading, only: number | undefined): AsyncGenerator<ArchiveRecord> {
  for (const { id, ...row } of await connection.all<ProjectCells>(sqlOf(connection.dialect).projects)) {
    if (only !== undefined && id !== only) continue;
    const joined = await joinedKeys(connection, id);
    yield {
      type: "project",
      ...row,
      members: [...listIn(row.members)],
      aliases: [...listIn(row.aliases)],
      ...(joined.length > 0 && { joined }),
    };
  }
}

async function joinedKeys(connection: Reading, id: number) {
  const sql =
    "SELECT key, joined_from AS note FROM project_aliases WHERE project_id = ? AND joined_from IS NOT NULL ORDER BY key";
  const rows = await connection.all<{ key: string; note: string }>(sql, id);
  return rows.map(({ key, note }) => ({ key, joined_from: formerKeysOf(note) }));
}

const formerOf = (note: string | null) => {
  const joined_from = formerKeysOf(note);
  return joined_from && { joined_from };
};

async function findProject(connection: Reading, key: string): Promise<number> {
  const row = await connection.get<{ id: number }>(
    `SELECT id FROM projects WHERE id = ${PROJECT_OF_KEY}`,
    ...spellingsOf(key),
  );
  if (row) return row.id;
  throw new CannotOpen(
    `there is no project \`${key.slice(0, 200)}\` in this store`,
    "leave `--project` out to export all of it",
  );
}

/**
 * Reads rows by id, some hundred at a time, so that memory use is bounded.
 * @param sql takes the last id of the page before
 */
async function* pages<T extends { id: number }>(connection: Reading, sql: string): AsyncGenerator<readonly T[]> {
  for (let after = 0; ; ) {
    const rows = await connection.all<T>(`${sql} LIMIT ${AT_ONCE}`, after);
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

/** Groups dependent rows by their owner. */
async function partsOf<T>(
  connection: Reading,
  part: keyof ReturnType<typeof sqlOf>,
  owners: readonly { readonly id: number }[],
): Promise<(id: number) => readonly T[]> {
  const ids = owners.map(({ id }) => id);
  const rows = await connection.all<T & { readonly owner: number }>(sqlOf(connection.dialect)[part], ids);
  const byOwner = Map.groupBy(rows, ({ owner }) => owner);
  return (id) => (byOwner.get(id) ?? []).map(({ owner: _, ...row }) => row as T);
}

type EntityCells = Pick<EntityRecord, "uid" | "kind" | "name" | "created_at" | "updated_at" | "attributes"> & {
  readonly id: number;
  readonly canonical_key: string | null;
};

async function* entities(connection: Reading, projectId: number | undefined): AsyncGenerator<ArchiveRecord> {
  const isOfWanted =
    projectId === undefined
      ? "true"
      : `EXISTS (SELECT 1 FROM memories m WHERE m.entity_id = e.id AND m.project_id = ${projectId})`;
  const sql = `SELECT e.id, e.uid, e.kind, e.name, e.canonical_key, e.created_at, e.updated_at, e.attributes FROM entities e
    WHERE e.id > ? AND ${isOfWanted} ORDER BY e.id`;
  for await (const page of pages<EntityCells>(connection, sql)) {
    const aliases = await partsOf<EntityRecord["aliases"][number]>(connection, "aliases", page);
    for (const { id, canonical_key, ...row } of page)
      yield {
        type: "entity",
        ...row,
        ...(canonical_key === null ? {} : { key: canonical_key }),
        aliases: [...aliases(id)],
      };
  }
}

type MemoryCells = Readonly<Record<string, string | number | boolean | null>> & {
  readonly id: number;
  readonly uid: string;
  readonly content: string;
  readonly visibility: MemoryRecord["visibility"];
  readonly "#entity": string;
  readonly "#project": string | null;
  readonly "#author": string;
  readonly "#successor": string | null;
};

type VectorCells = Omit<MemoryRecord["vectors"][number], "vector"> & {
  readonly vector: Uint8Array | readonly number[];
};

async function* memories(connection: Reading, isWanted: string, withVectors: boolean): AsyncGenerator<ArchiveRecord> {
  const sql = `SELECT m.*, e.uid AS "#entity", p.key AS "#project", a.name AS "#author", s.uid AS "#successor"
     FROM memories m JOIN entities e ON e.id = m.entity_id JOIN members a ON a.id = m.author_id
     LEFT JOIN projects p ON p.id = m.project_id LEFT JOIN memories s ON s.id = m.superseded_by_id
     WHERE m.id > ? AND ${isWanted} ORDER BY m.id`;
  for await (const page of pages<MemoryCells>(connection, sql)) {
    const of = <T>(part: Parameters<typeof partsOf>[1]) => partsOf<T>(connection, part, page);
    const [tags, files, sources, versions, accesses, vectors] = await Promise.all([
      of<{ tag: string }>("tags"),
      of<MemoryRecord["files"][number]>("files"),
      of<MemoryRecord["sources"][number]>("sources"),
      of<MemoryRecord["versions"][number]>("versions"),
      of<{ at: number }>("accesses"),
      withVectors ? of<VectorCells>("vectors") : () => [],
    ]);
    for (const row of page)
      yield {
        ...memoryOf(row),
        tags: tags(row.id).map(({ tag }) => tag),
        files: [...files(row.id)],
        sources: [...sources(row.id)],
        versions: [...versions(row.id)],
        accesses: accesses(row.id).map(({ at }) => at),
        vectors: vectors(row.id).map(({ vector, ...identity }) => ({ ...identity, vector: base64Of(vector) })),
      };
  }
}

/** Bytes of Float32 numbers, little-endian. */
const base64Of = (vector: Uint8Array | readonly number[]): string =>
  (vector instanceof Uint8Array ? Buffer.from(vector) : Buffer.from(Float32Array.from(vector).buffer)).toString(
    "base64",
  );

function memoryOf(row: MemoryCells) {
  const columns = Object.entries(row)
    .filter(([name, value]) => !name.startsWith("#") && !OUTSIDE_COLUMNS.has(name) && value !== null && !isBytes(value))
    .map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]);
  return {
    type: "memory" as const,
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

const isBytes = (value: unknown): boolean => value instanceof Uint8Array;

async function* links(connection: Reading, isWanted: string): AsyncGenerator<ArchiveRecord> {
  const rows = await connection.all<Omit<LinkRecord, "type">>(
    `SELECT m.uid AS "from", t.uid AS "to", l.type AS kind, l.note, l.origin, a.name AS author, l.created_at
     FROM memory_links l JOIN memories m ON m.id = l.from_id JOIN memories t ON t.id = l.to_id
     JOIN members a ON a.id = l.author_id WHERE ${isWanted} ORDER BY l.from_id, l.to_id, l.type`,
  );
  for (const row of rows) yield { type: "link", ...row };
}

interface EditCells {
  readonly id: number;
  readonly member_id: number;
  readonly session_id: string;
  readonly file_path: string;
  readonly operation: EditRecord["operation"];
  readonly turn_uuid: string | null;
  readonly ordinal: number;
  readonly context_snippet: string | null;
  readonly occurred_at: number;
  readonly space: string;
  readonly memory: string | null;
  readonly joined_from: string | null;
}

async function* edits(connection: Reading, projectId: number | undefined): AsyncGenerator<ArchiveRecord> {
  const members = await namesOf(connection, "SELECT id, name FROM members");
  const keys = await namesOf(connection, "SELECT id, key AS name FROM projects");
  const sql = `SELECT f.id, f.member_id, f.session_id, f.file_path, f.operation, f.turn_uuid, f.ordinal, f.context_snippet,
      f.occurred_at, f.space, f.joined_from, m.uid AS memory
    FROM session_file_edits f LEFT JOIN memories m ON m.id = f.memory_id WHERE f.id > ? ORDER BY f.id`;
  for await (const page of pages<EditCells>(connection, sql))
    for (const row of page) {
      const [, owner, project] = /^(?:m(\d+))?(?:p(\d+))?$/.exec(row.space) ?? [];
      if (projectId !== undefined && Number(project) !== projectId) continue;
      const key = keys.get(Number(project));
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
        ...formerOf(row.joined_from),
      };
    }
}

async function namesOf(connection: Reading, sql: string): Promise<ReadonlyMap<number, string>> {
  const rows = await connection.all<{ id: number; name: string }>(sql);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface ConsolidationCells {
  readonly summary: string;
  readonly replaced_ids: readonly number[] | string;
  readonly original_layer: string;
  readonly created_at: number;
  readonly undone_at: number | null;
}

async function* consolidations(connection: Reading, isWanted: string): AsyncGenerator<ArchiveRecord> {
  const rows = await connection.all<ConsolidationCells>(
    `SELECT m.uid AS summary, c.replaced_ids, c.original_layer, c.created_at, c.undone_at
     FROM consolidations c JOIN memories m ON m.id = c.summary_id WHERE ${isWanted} ORDER BY c.id`,
  );
  for (const { replaced_ids, ...row } of rows) {
    const uids = await connection.all<{ uid: string }>(sqlOf(connection.dialect).uids, listIn(replaced_ids));
    yield { type: "consolidation", replaced: uids.map(({ uid }) => uid), ...row };
  }
}

type WorkCells = Omit<WorkRecord, "type" | "project" | "author" | "closed_by" | "files" | "joined_from"> & {
  readonly id: number;
  readonly project: string | null;
  readonly author: string;
  readonly closed_by: string | null;
  readonly files: string | null;
  readonly joined_from: string | null;
};

async function* work(connection: Reading, projectId: number | undefined): AsyncGenerator<ArchiveRecord> {
  const sql = `SELECT w.id, p.key AS project, a.name AS author, w.title, w.detail, w.priority, w.status, w.files, w.reason,
      c.uid AS closed_by, w.created_at, w.closed_at, w.joined_from
    FROM work_items w JOIN members a ON a.id = w.author_id LEFT JOIN projects p ON p.id = w.project_id
    LEFT JOIN memories c ON c.id = w.closed_by_memory_id
    WHERE w.id > ? AND ${projectId === undefined ? "true" : `w.project_id = ${projectId}`} ORDER BY w.id`;
  for await (const page of pages<WorkCells>(connection, sql))
    for (const { id: _, project, closed_by, files, joined_from, ...row } of page)
      yield {
        type: "work",
        ...row,
        files: files === null ? [] : JSON.parse(files),
        ...(project === null ? {} : { project }),
        ...(closed_by === null ? {} : { closed_by }),
        ...formerOf(joined_from),
      };
}

type NoteCells = Omit<InboxRecord, "type" | "against" | "assignee"> & {
  readonly against: string;
  readonly assignee: string | null;
};

async function* inboxNotes(connection: Reading, isWanted: string): AsyncGenerator<ArchiveRecord> {
  const rows = await connection.all<NoteCells>(
    `SELECT n.kind, m.uid AS memory, t.uid AS against, a.name AS assignee, n.snoozed_until, n.reason, w.name AS author, n.noted_at
     FROM inbox_notes n JOIN memories m ON m.id = n.memory_id JOIN memories t ON t.id = n.other_id
       JOIN members w ON w.id = n.author_id LEFT JOIN members a ON a.id = n.assignee_id
     WHERE ${isWanted} ORDER BY n.memory_id, n.other_id, n.kind`,
  );
  for (const { against, assignee, ...row } of rows)
    yield {
      type: "inbox",
      ...row,
      ...(against === row.memory ? {} : { against }),
      ...(assignee === null ? {} : { assignee }),
    };
}
