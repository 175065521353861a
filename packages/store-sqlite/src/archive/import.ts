import {
  type ArchiveRecord,
  CannotOpen,
  type EntityRecord,
  type ImportReport,
  ImportTally,
  type LeftOut,
  LOCAL,
  leftAsBare,
  leftAsPurged,
  localCaller,
  type MemoryRecord,
  MOST_KEPT_ID,
  redact,
  type Space,
  spaceOf,
  systemClock,
  wellFormed,
} from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { Projects } from "../database/projects.ts";
import { damaged } from "../database/sqlite-errors.ts";
import { checkInProcess } from "../integrity/integrity-check.ts";
import { findOrAddIn, notePastEvents } from "../memories/entity-writes.ts";
import { openForWriting, type SqliteOptions } from "../open.ts";
import { keepInPlace } from "../store-file/file-replaced-guard.ts";
import { Transaction } from "../writing/transaction.ts";
import { Writer } from "../writing/write-queue.ts";
import { adopt } from "./adopt.ts";
import { purgedIn } from "./left.ts";
import { openOnlyTo, placeOf } from "./places.ts";
import { isUnused, previewImport } from "./preview.ts";
import { type Related, relate, type Superseded, succeed } from "./relate.ts";

export interface ImportOptions extends SqliteOptions {
  readonly records: AsyncIterable<ArchiveRecord | LeftOut> | Iterable<ArchiveRecord | LeftOut>;
  /** Says what would be done, and does nothing; makes no store where there is none. */
  readonly isDry: boolean;
  /** Everything goes into this project; the records' own are ignored. */
  readonly project?: string | undefined;
  readonly release: string;
}

// Small enough that a backend at work on the same store gets its turn between two of them.
const AT_ONCE = 100;

/** Brings records into a store's file, each once: what is there already, by its uid, stays as it is. */
export async function importRecords(options: ImportOptions): Promise<ImportReport> {
  if (options.isDry) return previewImport(options.path, options.records);
  const { writing, lock, isUnseen, isTrusted } = await openForWriting(options);
  const writer = new Writer(writing);
  keepInPlace({ path: options.path, writing, writer, log: options.log });
  try {
    if (isUnseen && !isTrusted) await assertWhole(options.path);
    return await new Importer(writing, writer, options).run();
  } finally {
    await writer.close();
    writing.close();
    lock.release();
  }
}

async function assertWhole(path: string): Promise<void> {
  const verdict = await checkInProcess(path);
  if ("damage" in verdict) throw damaged();
  if ("trouble" in verdict) throw new CannotOpen(`${path} could not be checked: ${verdict.trouble}`, "try again");
}

class Importer {
  readonly #tally = new ImportTally();
  readonly #entities = new Map<string, EntityRecord>();
  /** By its uid, then by the space: a subject in several spaces has an entity in each. */
  readonly #entityIds = new Map<string, Map<Space, number>>();
  /** Entities that a memory of the archive is about. */
  readonly #mentioned = new Set<string>();
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
    for (const record of this.#entities.values()) this.#countUnused(record);
    for (const part of parts(superseded)) {
      await this.#write(async (tx) => {
        for (const each of part) succeed(tx, each);
      });
    }
    for (const part of parts(later)) {
      await this.#write(async (tx) => {
        for (const each of part) relate(tx, this.#tally, each);
      });
    }
    return this.#tally.report();
  }

  #write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    const { clock = systemClock, release } = this.#options;
    const caller = localCaller(undefined, { name: "chest-index", version: release });
    return this.#writer.call(async (turn) => {
      const tx = new Transaction({ writing: this.#connection, written: this.#places }, turn, {
        caller,
        now: clock.now(),
      });
      tx.ensureMember(LOCAL);
      await work(tx);
      tx.end("import");
    });
  }

  async #memories(tx: Transaction, batch: readonly MemoryRecord[]): Promise<void> {
    const isPurged = purgedIn(tx.sync);
    const events = new Map<number, { count: number; firstAt: number }>();
    for (const record of batch) {
      this.#mentioned.add(record.entity);
      if (tx.sync.get("SELECT 1 FROM memories WHERE uid = ?", record.uid) !== undefined) {
        this.#tally.memories.unchanged++;
        continue;
      }
      if (isPurged(record.uid)) {
        this.#tally.leave(leftAsPurged(record));
        continue;
      }
      const { author, projectId } = placeOf(tx, record);
      const entityId = this.#entityId(tx, record.entity, spaceOf(record.visibility, author, projectId));
      if (entityId === undefined) {
        this.#tally.leave({ what: "memory", ref: record.id, reason: "its entity is not there" });
        continue;
      }
      const placed = { entityId, projectId, author, keepsId: this.#tally.keptIds && record.id <= MOST_KEPT_ID };
      const adopted = await adopt(tx, record, placed);
      if (!adopted) {
        this.#tally.leave({ what: "memory", ref: record.id, reason: "its values are invalid" });
        continue;
      }
      this.#tally.memories.inserted++;
      this.#tally.vectors.kept += adopted.vectorsKept;
      this.#tally.vectors.dropped += record.vectors.length - adopted.vectorsKept;
      const at = Number(record.columns.created_at ?? tx.nowS);
      tx.sync.run(
        "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, 'memory_stored', ?, ?)",
        entityId,
        JSON.stringify({ memory_id: adopted.id }),
        at,
      );
      const known = events.get(entityId) ?? { count: 0, firstAt: at };
      events.set(entityId, { count: known.count + 1, firstAt: Math.min(known.firstAt, at) });
    }
    for (const [entityId, { count, firstAt }] of events) notePastEvents(tx, entityId, count, firstAt);
  }

  /** Keeps a member's private records private inside the project. */
  #inProject(record: ArchiveRecord | LeftOut): ArchiveRecord | LeftOut {
    const { project } = this.#options;
    if (project === undefined || record.type === "left") return record;
    if (record.type === "work") return { ...record, project };
    if (record.type !== "memory" && record.type !== "edit") return record;
    return { ...record, project, visibility: record.visibility === "team" ? "project" : record.visibility };
  }

  /** This space's entity for one of the archive's: the same, one of the same name, or a new one. */
  #entityId(tx: Transaction, uid: string, space: Space): number | undefined {
    const spaces = this.#entityIds.get(uid) ?? new Map<Space, number>();
    const known = spaces.get(space);
    if (known !== undefined) return known;
    const record = this.#entities.get(uid);
    const sql = "SELECT id FROM entities WHERE uid = ? AND space = ?";
    const same = tx.sync.get<{ id: number }>(sql, uid, space)?.id;
    const found =
      same === undefined && record ? this.#findOrAdd(tx, record, space, spaces.size === 0) : { id: same, isNew: false };
    if (found.id === undefined) return undefined;
    if (spaces.size === 0) this.#tally.entities[found.isNew ? "inserted" : "known"]++;
    this.#entityIds.set(uid, spaces.set(space, found.id));
    return found.id;
  }

  #findOrAdd(tx: Transaction, record: EntityRecord, space: Space, isFirst: boolean) {
    const { sync: connection } = tx;
    // An older archive states one key for several spaces, without saying which: the first has it.
    const isWhole = isFirst && connection.get("SELECT 1 FROM entities WHERE uid = ?", record.uid) === undefined;
    const newest = connection.get<{ id: number | null }>("SELECT max(id) AS id FROM entities")?.id ?? 0;
    const key = isWhole && record.key ? redact(record.key) : undefined;
    const named = { name: redact(wellFormed(record.name)), kind: record.kind, key };
    const { id } = findOrAddIn(tx, space, named).entity;
    if (id <= newest) return { id, isNew: false };
    if (!isWhole) return { id, isNew: true };
    connection.run(
      "UPDATE entities SET uid = ?, attributes = ?, created_at = ?, updated_at = ? WHERE id = ?",
      record.uid,
      record.attributes ? redact(record.attributes) : null,
      record.created_at,
      record.updated_at,
      id,
    );
    for (const { kind, normalised_name } of record.aliases) {
      connection.run(
        "INSERT OR IGNORE INTO entity_aliases (space, kind, normalised_name, entity_id) VALUES (?, ?, ?, ?)",
        space,
        kind,
        redact(normalised_name),
        id,
      );
    }
    return { id, isNew: true };
  }

  /** One whose memories were all here already is known. */
  #countUnused({ uid, name }: EntityRecord): void {
    if (this.#entityIds.has(uid)) return;
    if (this.#mentioned.has(uid)) this.#tally.entities.known++;
    else this.#tally.leave(leftAsBare(name));
  }
}

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += 5 * AT_ONCE) yield all.slice(at, at + 5 * AT_ONCE);
}
