import { existsSync } from "node:fs";
import {
  type ArchiveRecord,
  type ConsolidationRecord,
  canonical,
  type EditRecord,
  type EntityRecord,
  type ImportReport,
  ImportTally,
  type LeftOut,
  type LinkRecord,
  LOCAL,
  localCaller,
  type MemoryRecord,
  normaliseName,
  type ProjectRecord,
  pathKeyOf,
  redact,
  spaceOf,
  systemClock,
  wellFormed,
} from "@chest/core";
import { Connection } from "../connection.ts";
import { entityWrites, notePastEvents } from "../entity-writes.ts";
import { damaged } from "../errors.ts";
import { writeText } from "../memory-writes.ts";
import { openForWriting, type SqliteOptions } from "../open.ts";
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from "../rows.ts";
import { Projects } from "../standing.ts";
import { Transaction } from "../transaction.ts";
import { vetBeside } from "../vet.ts";
import { Writer } from "../writer.ts";
import { adopt } from "./adopt.ts";

export interface ImportOptions extends SqliteOptions {
  readonly records: AsyncIterable<ArchiveRecord | LeftOut> | Iterable<ArchiveRecord | LeftOut>;
  /** Says what would be done, and does nothing; makes no store where there is none. */
  readonly isDry: boolean;
  /** Everything goes into this project, whatever its record says. */
  readonly project?: string | undefined;
  readonly release: string;
}

// Small enough that a backend at work on the same store gets its turn between two of them.
const AT_ONCE = 100;

/** Brings records into a store's file, each once: what is there already, by its uid, stays as it is. */
export async function importRecords(options: ImportOptions): Promise<ImportReport> {
  if (options.isDry) return preview(options);
  const { writing, lock, isUnseen } = await openForWriting(options);
  const writer = new Writer(writing);
  try {
    if (isUnseen && "damage" in (await vetBeside(options.path).verdict)) throw damaged();
    return await new Importer(writing, writer, options).run();
  } finally {
    await writer.close();
    writing.close();
    lock.release();
  }
}

/** What the run would do, by the same questions, asked of a connection that cannot write. */
async function preview({ path, records }: ImportOptions): Promise<ImportReport> {
  const tally = new ImportTally();
  const reader = existsSync(path) ? new Connection(path, { readonly: true }) : undefined;
  const seen = new Set<string>();
  const isFirst = (mark: string) => seen.size < seen.add(mark).size;
  const isNewMemory = ({ uid }: MemoryRecord) =>
    isFirst(uid) && reader?.get("SELECT 1 FROM memories WHERE uid = ?", uid) === undefined;
  const isNewEntity = (record: EntityRecord) => {
    const normal = normaliseName(redact(record.name)) || record.name.toLowerCase();
    const asked = "SELECT 1 FROM entities WHERE uid = ? OR (kind = ? AND normalised_name = ?) OR canonical_key = ?";
    return (
      isFirst(`${record.kind}\n${normal}`) &&
      reader?.get(asked, record.uid, record.kind, normal, record.key ?? null) === undefined
    );
  };
  try {
    tally.keptIds = reader === undefined || isUnused(reader);
    for await (const record of records) {
      if (record.type === "left") tally.leave(record);
      else if (record.type === "entity") tally.entities[isNewEntity(record) ? "inserted" : "known"]++;
      else if (record.type === "memory") {
        const isNew = isNewMemory(record);
        tally.memories[isNew ? "inserted" : "unchanged"]++;
        const isSame = canonical(record.content).content === record.content;
        if (isNew) tally.vectors[isSame ? "kept" : "dropped"] += record.vectors.length;
      } else if (record.type === "link") tally.links++;
      else if (record.type === "edit") tally.edits++;
    }
    return tally.report();
  } finally {
    reader?.close();
  }
}

/** Has nobody written to the store yet: then what comes in keeps its numbers, also after an import that was cut off. */
const isUnused = (connection: Connection): boolean =>
  connection.get("SELECT 1 FROM memories WHERE source_type <> 'import' LIMIT 1") === undefined;

type Related = LinkRecord | EditRecord | ConsolidationRecord;
type Superseded = { readonly uid: string; readonly by: string };

class Importer {
  readonly #tally = new ImportTally();
  readonly #entities = new Map<string, EntityRecord>();
  readonly #entityIds = new Map<string, number>();
  readonly #places: Projects;
  readonly #connection: Connection;
  readonly #writer: Writer;
  readonly #options: ImportOptions;

  constructor(connection: Connection, writer: Writer, options: ImportOptions) {
    this.#connection = connection;
    this.#places = new Projects(connection);
    this.#writer = writer;
    this.#options = options;
  }

  async run(): Promise<ImportReport> {
    this.#tally.keptIds = isUnused(this.#connection);
    const superseded: Superseded[] = [];
    const later: Related[] = [];
    let batch: MemoryRecord[] = [];
    for await (const given of this.#options.records) {
      const record = this.#inProject(given);
      if (record.type === "left") this.#tally.leave(record);
      else if (record.type === "entity") this.#entities.set(record.uid, record);
      else if (record.type === "project") await this.#write(async (tx) => openOnlyTo(tx, record));
      else if (record.type === "memory") {
        if (record.superseded_by !== undefined) superseded.push({ uid: record.uid, by: record.superseded_by });
        batch.push(record);
        if (batch.length === AT_ONCE) {
          await this.#write((tx) => this.#memories(tx, batch));
          batch = [];
        }
      } else later.push(record);
    }
    await this.#write((tx) => this.#memories(tx, batch));
    const entities = [...this.#entities.keys()];
    for (const part of parts(entities)) {
      await this.#write(async (tx) => {
        for (const uid of part) await this.#entityId(tx, uid);
      });
    }
    for (const part of parts(superseded)) {
      await this.#write(async (tx) => {
        for (const each of part) succeed(tx, each);
      });
    }
    for (const part of parts(later)) {
      await this.#write(async (tx) => {
        for (const each of part) this.#relate(tx, each);
      });
    }
    return this.#tally.report();
  }

  #write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    const { clock = systemClock, release } = this.#options;
    const caller = localCaller(undefined, { name: "chest-index", version: release });
    return this.#writer.call(async (turn) => {
      const tx = new Transaction(this.#connection, { caller }, clock.now(), turn, this.#places);
      tx.ensureMember(LOCAL);
      await work(tx);
      tx.end("import");
    });
  }

  async #memories(tx: Transaction, batch: readonly MemoryRecord[]): Promise<void> {
    const events = new Map<number, { count: number; firstAt: number }>();
    for (const record of batch) {
      if (tx.connection.get("SELECT 1 FROM memories WHERE uid = ?", record.uid) !== undefined) {
        this.#tally.memories.unchanged++;
        continue;
      }
      const entityId = await this.#entityId(tx, record.entity);
      if (entityId === undefined) {
        this.#tally.leave({ what: "memory", ref: record.id, reason: "its entity is not there" });
        continue;
      }
      const placed = { entityId, ...this.#place(tx, record), keepsId: this.#tally.keptIds };
      const adopted = await adopt(tx, record, placed);
      if (!adopted) {
        this.#tally.leave({ what: "memory", ref: record.id, reason: "its values are none that a store takes" });
        continue;
      }
      this.#tally.memories.inserted++;
      this.#tally.vectors.kept += adopted.vectorsKept;
      this.#tally.vectors.dropped += record.vectors.length - adopted.vectorsKept;
      const at = Number(record.columns.created_at ?? tx.nowS);
      tx.connection.run(
        "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, 'memory_stored', ?, ?)",
        ...[entityId, JSON.stringify({ memory_id: adopted.id }), at],
      );
      const known = events.get(entityId) ?? { count: 0, firstAt: at };
      events.set(entityId, { count: known.count + 1, firstAt: Math.min(known.firstAt, at) });
    }
    for (const [entityId, { count, firstAt }] of events) notePastEvents(tx, entityId, count, firstAt);
  }

  /** What is one member's own stays so, inside the project. */
  #inProject(record: ArchiveRecord | LeftOut): ArchiveRecord | LeftOut {
    const { project } = this.#options;
    if (project === undefined || (record.type !== "memory" && record.type !== "edit")) return record;
    return { ...record, project, visibility: record.visibility === "team" ? "project" : record.visibility };
  }

  #place(tx: Transaction, { author, project }: Pick<MemoryRecord, "author" | "project">) {
    return { projectId: projectOf(tx, project && redact(project)), author: memberNamed(tx, author) };
  }

  /** This store's entity for one of the archive's: the same, one of the same name, or a new one. */
  async #entityId(tx: Transaction, uid: string): Promise<number | undefined> {
    const known = this.#entityIds.get(uid);
    if (known !== undefined) return known;
    const record = this.#entities.get(uid);
    const { connection } = tx;
    let id = connection.get<{ id: number }>("SELECT id FROM entities WHERE uid = ?", uid)?.id;
    if (id !== undefined) this.#tally.entities.known++;
    else if (record) id = await this.#findOrAdd(tx, record);
    if (id !== undefined) this.#entityIds.set(uid, id);
    return id;
  }

  async #findOrAdd(tx: Transaction, record: EntityRecord): Promise<number> {
    const { connection } = tx;
    const newest = connection.get<{ id: number | null }>("SELECT max(id) AS id FROM entities")?.id ?? 0;
    const named = { name: redact(wellFormed(record.name)), kind: record.kind, key: record.key && redact(record.key) };
    const { entity } = await entityWrites(tx).findOrAdd(named);
    if (entity.id <= newest) {
      this.#tally.entities.known++;
      return entity.id;
    }
    this.#tally.entities.inserted++;
    connection.run(
      "UPDATE entities SET uid = ?, attributes = ?, created_at = ?, updated_at = ? WHERE id = ?",
      ...[
        record.uid,
        record.attributes ? redact(record.attributes) : null,
        record.created_at,
        record.updated_at,
        entity.id,
      ],
    );
    for (const { kind, normalised_name } of record.aliases) {
      connection.run(
        "INSERT OR IGNORE INTO entity_aliases (kind, normalised_name, entity_id) VALUES (?, ?, ?)",
        ...[kind, redact(normalised_name), entity.id],
      );
    }
    return entity.id;
  }

  #relate(tx: Transaction, record: Related): void {
    if (record.type === "edit") this.#edit(tx, record);
    else if (record.type === "link") this.#link(tx, record);
    else consolidate(tx, record);
  }

  #link(tx: Transaction, { from, to, kind, note, origin, author, created_at }: LinkRecord): void {
    const [fromId, toId] = [idOf(tx, from), idOf(tx, to)];
    if (fromId === undefined || toId === undefined) {
      this.#tally.leave({ what: "link", ref: `${from} → ${to}`, reason: "one of its memories is not there" });
      return;
    }
    const { changes } = tx.connection.run(
      `INSERT OR IGNORE INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[fromId, toId, kind, note && redact(note), origin, memberNamed(tx, author).id, created_at],
    );
    this.#tally.links += changes;
  }

  #edit(tx: Transaction, record: EditRecord): void {
    const { projectId, author } = this.#place(tx, record);
    const { connection } = tx;
    connection.run(
      `INSERT OR IGNORE INTO sessions (id, project_id, member_id, status, started_at, last_seen_at, ended_at)
       VALUES (?, ?, ?, 'closed', ?, ?, ?)`,
      ...[record.session, projectId ?? null, author.id, record.occurred_at, record.occurred_at, record.occurred_at],
    );
    const path = redact(record.file_path);
    const { changes } = connection.run(
      `INSERT OR IGNORE INTO session_file_edits
         (session_id, memory_id, file_path, path_key, operation, turn_uuid, ordinal, context_snippet, occurred_at, space)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[record.session, (record.memory && idOf(tx, record.memory)) ?? null, path, pathKeyOf(path)],
      ...[record.operation, record.turn, record.ordinal, record.snippet && redact(record.snippet), record.occurred_at],
      spaceOf(record.visibility, author, projectId),
    );
    this.#tally.edits += changes;
  }
}

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += 5 * AT_ONCE) yield all.slice(at, at + 5 * AT_ONCE);
}

const idOf = ({ connection }: Transaction, uid: string): number | undefined =>
  connection.get<{ id: number }>("SELECT id FROM memories WHERE uid = ?", uid)?.id;

/** The project of a key, made on first use. Whoever has the file may write into every one. */
function projectOf({ connection, nowS }: Transaction, key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const known =
    connection.get<{ id: number }>("SELECT id FROM projects WHERE key = ?", key) ??
    connection.get<{ id: number }>("SELECT project_id AS id FROM project_aliases WHERE key = ?", key);
  const sql = "INSERT INTO projects (key, created_at) VALUES (?, ?) RETURNING id";
  return (known ?? connection.get<{ id: number }>(sql, key, nowS))?.id;
}

/** Makes a project for whom it was open to where it came from; one that is here already stays open to whom it is. */
function openOnlyTo(tx: Transaction, { key, display_name, access, members, aliases }: ProjectRecord): void {
  const { connection, nowS } = tx;
  if (connection.get("SELECT 1 FROM projects WHERE key = ?", redact(key)) !== undefined) return;
  const made = connection.get<{ id: number }>(
    "INSERT INTO projects (key, display_name, access, created_at) VALUES (?, ?, ?, ?) RETURNING id",
    ...[redact(key), display_name && redact(display_name), access, nowS],
  );
  if (!made) throw new Error("an insert returned no id");
  for (const name of members) {
    const sql = "INSERT OR IGNORE INTO project_members (project_id, member_id) VALUES (?, ?)";
    connection.run(sql, made.id, memberNamed(tx, name).id);
  }
  for (const alias of aliases) {
    connection.run("INSERT OR IGNORE INTO project_aliases (key, project_id) VALUES (?, ?)", redact(alias), made.id);
  }
}

/** Whoever wrote it, by name; whoever imports it where nobody is named. */
function memberNamed({ connection, nowS }: Transaction, name: string | undefined) {
  if (name === undefined) return LOCAL;
  const known = connection.get<{ id: number }>("SELECT id FROM members WHERE name = ?", name);
  const sql = "INSERT INTO members (name, created_at) VALUES (?, ?) RETURNING id";
  const id = known?.id ?? connection.get<{ id: number }>(sql, name, nowS)?.id;
  if (id === undefined) throw new Error("an insert returned no id");
  return { id, name };
}

/** Names the successor of a row that came in as superseded; one that was brought back since stays so. */
function succeed(tx: Transaction, { uid, by }: Superseded): void {
  const successor = idOf(tx, by);
  if (successor === undefined) return;
  const { changes } = tx.connection.run(
    `UPDATE memories SET superseded_by_id = ? WHERE uid = ? AND superseded_by_id IS NULL
       AND archived_at IS NOT NULL AND archived_reason = 'superseded' AND id <> ?`,
    ...[successor, uid, successor],
  );
  if (changes === 0) return;
  const id = idOf(tx, uid);
  if (id === undefined) return;
  const row = tx.connection.get<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories m JOIN entities e ON e.id = m.entity_id WHERE m.id = ?`,
    id,
  );
  if (row) writeText(tx, toMemory(row));
}

function consolidate(tx: Transaction, { summary, replaced, ...record }: ConsolidationRecord): void {
  const { connection } = tx;
  const summaryId = idOf(tx, summary);
  if (summaryId === undefined) return;
  const ids = replaced.flatMap((uid) => idOf(tx, uid) ?? []);
  connection.run(
    `INSERT INTO consolidations (summary_id, replaced_ids, replaced_count, entity_id, original_layer, created_at, undone_at)
     SELECT ?, ?, ?, entity_id, ?, ?, ? FROM memories WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM consolidations WHERE summary_id = ? AND created_at = ?)`,
    ...[summaryId, JSON.stringify(ids), ids.length, record.original_layer, record.created_at, record.undone_at],
    ...[summaryId, summaryId, record.created_at],
  );
}
