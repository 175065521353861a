import { LOCAL, localCaller, type Space, spaceOf } from "@chest/core/access";
import {
  type ArchiveRecord,
  type EntityRecord,
  type ImportReport,
  ImportTally,
  leftAsBare,
  leftAsPurged,
  type MemoryRecord,
  MOST_KEPT_ID,
  type SkippedRecord,
} from "@chest/core/archive";
import { redact } from "@chest/core/redaction";
import { wellFormed } from "@chest/core/text";
import type { Reading } from "../database/connection.ts";
import type { Transactions } from "../database/transact.ts";
import type { Transaction } from "../database/transaction.ts";
import { notePastEvents } from "../memories/entity-events.ts";
import { findOrAddIn } from "../memories/entity-writes.ts";
import { type AdoptParts, adopt } from "./adopt.ts";
import { openOnlyTo, placeOf } from "./places.ts";
import { type Note, type Related, relate, type Superseded, succeed } from "./relate.ts";

export interface ImportOptions {
  readonly records: AsyncIterable<ArchiveRecord | SkippedRecord> | Iterable<ArchiveRecord | SkippedRecord>;
  /** Rolls back at the end, and only reports what would be imported. */
  readonly isDry: boolean;
  /** Imports everything into this project; the records' own projects are ignored. */
  readonly project?: string | undefined;
  readonly release: string;
}

/** Engine-specific parts of an import. */
export interface ImportParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly adopting: (tx: Transaction) => AdoptParts;
}

// Small batches, so that backends working on the same rows wait only briefly.
const AT_ONCE = 100;

/** Ids in this store by the archive's entity uid, then by space: an entity used in several spaces has a row in each. */
type EntityIds = Map<string, Map<Space, number>>;

/** Imports records, each once: a record whose uid exists is skipped. */
export class Importer {
  readonly #tally = new ImportTally();
  readonly #entities = new Map<string, EntityRecord>();
  readonly #entityIds: EntityIds = new Map();
  /** Uids of entities that a memory of the archive is about. */
  readonly #mentioned = new Set<string>();
  readonly #parts: ImportParts;
  readonly #options: ImportOptions;

  constructor(parts: ImportParts, options: ImportOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  async run(): Promise<ImportReport> {
    this.#tally.keptIds = await isUnused(this.#parts.reader);
    const superseded: Superseded[] = [];
    const later: Related[] = [];
    let batch: MemoryRecord[] = [];
    for await (const given of this.#options.records) {
      const record = this.#inProject(given);
      if (record.type === "left") this.#tally.leave(record);
      else if (record.type === "entity") this.#entities.set(record.uid, record);
      else if (record.type === "project") await this.#write((tx) => openOnlyTo(tx, record));
      else if (record.type === "memory") {
        if (record.superseded_by !== undefined) superseded.push({ uid: record.uid, by: record.superseded_by });
        batch.push(record);
        if (batch.length === AT_ONCE) {
          await this.#memories(batch);
          batch = [];
        }
      } else later.push(record);
    }
    await this.#memories(batch);
    for (const record of this.#entities.values()) this.#countUnused(record);
    if (this.#options.isDry) {
      for (const { type } of later) this.#count(type);
      return this.#tally.report();
    }
    for (const part of parts(superseded))
      await this.#write(async (tx) => {
        for (const each of part) await succeed(tx, each);
      });
    for (const part of parts(later))
      await this.#write(async (tx, note) => {
        for (const each of part) await relate(tx, note, each);
      });
    return this.#tally.report();
  }

  /** A preview only counts relations, because the related rows were rolled back. */
  #count(type: Related["type"]): void {
    if (type === "link") this.#tally.links++;
    else if (type === "edit") this.#tally.edits++;
    else if (type === "work") this.#tally.work++;
  }

  /** Runs work in a transaction, which a preview rolls back; the counts are kept. */
  async #write(work: (tx: Transaction, note: Note) => Promise<void>): Promise<void> {
    const { release, isDry } = this.#options;
    const caller = localCaller(undefined, { name: "chest-index", version: release });
    let changes: ((tally: ImportTally) => void)[] = [];
    const done = this.#parts.transactions.transact({ caller, isOwn: true }, async (tx) => {
      changes = [];
      tx.ensureMember(LOCAL);
      await work(tx, (change) => void changes.push(change));
      if (isDry) throw new Previewed();
      tx.end("import");
    });
    await done.catch((error: unknown) => {
      if (!(error instanceof Previewed)) throw error;
    });
    for (const change of changes) change(this.#tally);
  }

  #memories(batch: readonly MemoryRecord[]): Promise<void> {
    return this.#write(async (tx, note) => {
      const found: EntityIds = new Map();
      const uids = batch.map(({ uid }) => uid);
      const known = new Set(await uidsIn(tx.connection, "memories", uids));
      const purged = new Set(await uidsIn(tx.connection, "purged", uids));
      const events = new Map<number, { count: number; firstAt: number }>();
      for (const record of batch) {
        this.#mentioned.add(record.entity);
        if (known.has(record.uid)) {
          note((tally) => tally.memories.unchanged++);
          continue;
        }
        known.add(record.uid);
        if (purged.has(record.uid)) {
          note((tally) => tally.leave(leftAsPurged(record)));
          continue;
        }
        const added = await this.#memory(tx, note, found, record);
        if (!added) continue;
        const { entityId, at } = added;
        const event = events.get(entityId) ?? { count: 0, firstAt: at };
        events.set(entityId, { count: event.count + 1, firstAt: Math.min(event.firstAt, at) });
      }
      for (const [entityId, { count, firstAt }] of events) await notePastEvents(tx, entityId, count, firstAt);
      note(() => {
        for (const [uid, spaces] of found)
          this.#entityIds.set(uid, new Map([...(this.#entityIds.get(uid) ?? []), ...spaces]));
      });
    });
  }

  async #memory(tx: Transaction, note: Note, found: EntityIds, record: MemoryRecord) {
    const { author, projectId } = await placeOf(tx, record);
    const space = spaceOf(record.visibility, author, projectId);
    const entityId = await this.#entityId(tx, note, found, record.entity, space);
    if (entityId === undefined) {
      note((tally) => tally.leave({ what: "memory", ref: record.id, reason: "its entity is not there" }));
      return undefined;
    }
    const placed = { entityId, projectId, author, keepsId: this.#tally.keptIds && record.id <= MOST_KEPT_ID };
    const adopted = await adopt(tx, this.#parts.adopting(tx), record, placed);
    if (!adopted) {
      note((tally) => tally.leave({ what: "memory", ref: record.id, reason: "its values are invalid" }));
      return undefined;
    }
    note((tally) => {
      tally.memories.inserted++;
      tally.vectors.kept += adopted.vectorsKept;
      tally.vectors.dropped += record.vectors.length - adopted.vectorsKept;
    });
    const at = Number(record.columns.created_at ?? tx.nowS);
    tx.connection.later(
      "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, 'memory_stored', ?, ?)",
      entityId,
      JSON.stringify({ memory_id: adopted.id }),
      at,
    );
    return { entityId, at };
  }

  /** Moves a record into the target project; private records stay private. */
  #inProject(record: ArchiveRecord | SkippedRecord): ArchiveRecord | SkippedRecord {
    const { project } = this.#options;
    if (project === undefined || record.type === "left") return record;
    if (record.type === "work") return { ...record, project };
    if (record.type !== "memory" && record.type !== "edit") return record;
    return { ...record, project, visibility: record.visibility === "team" ? "project" : record.visibility };
  }

  /**
   * The entity in this space for one of the archive: the same uid, the same name, or a new one.
   * @param found entities that this transaction has resolved
   */
  async #entityId(tx: Transaction, note: Note, found: EntityIds, uid: string, space: Space) {
    const known =
      found.get(uid)?.get(space) ?? (this.#options.isDry ? undefined : this.#entityIds.get(uid)?.get(space));
    if (known !== undefined) return known;
    const record = this.#entities.get(uid);
    const sql = "SELECT id FROM entities WHERE uid = ? AND space = ?";
    const same = (await tx.connection.get<{ id: number }>(sql, uid, space))?.id;
    const isFirst = !found.has(uid) && !this.#entityIds.has(uid);
    const at = same === undefined && record ? await findOrAdd(tx, record, space, isFirst) : { id: same, isNew: false };
    if (at.id === undefined) return undefined;
    if (isFirst) note((tally) => tally.entities[at.isNew ? "inserted" : "known"]++);
    found.set(uid, (found.get(uid) ?? new Map<Space, number>()).set(space, at.id));
    return at.id;
  }

  /** An entity whose memories were all skipped is known already. */
  #countUnused({ uid, name }: EntityRecord): void {
    if (this.#entityIds.has(uid)) return;
    if (this.#mentioned.has(uid)) this.#tally.entities.known++;
    else this.#tally.leave(leftAsBare(name));
  }
}

/** Thrown to roll back a preview. */
class Previewed extends Error {}

/** Whether the store is unused, or holds only an interrupted import: then imported rows keep their ids. */
export const isUnused = async (connection: Reading): Promise<boolean> =>
  (await connection.get("SELECT 1 FROM memories WHERE source_type <> 'import' LIMIT 1")) === undefined;

const uidsIn = async (connection: Reading, table: "memories" | "purged", uids: readonly string[]): Promise<string[]> =>
  (
    await connection.all<{ uid: string }>(`SELECT uid FROM ${table} WHERE ${connection.dialect.isOneOf("uid")}`, uids)
  ).map(({ uid }) => uid);

async function findOrAdd(tx: Transaction, record: EntityRecord, space: Space, isFirst: boolean) {
  const { connection } = tx;
  // An older archive states a key for several spaces; the first space gets it.
  const isWhole = isFirst && (await connection.get("SELECT 1 FROM entities WHERE uid = ?", record.uid)) === undefined;
  const newest = (await connection.get<{ id: number | null }>("SELECT max(id) AS id FROM entities"))?.id ?? 0;
  const key = isWhole && record.key ? redact(record.key) : undefined;
  const named = { name: redact(wellFormed(record.name)), kind: record.kind, key };
  const { id } = (await findOrAddIn(tx, space, named)).entity;
  if (id <= newest) return { id, isNew: false };
  if (!isWhole) return { id, isNew: true };
  connection.later(
    "UPDATE entities SET uid = ?, attributes = ?, created_at = ?, updated_at = ? WHERE id = ?",
    record.uid,
    record.attributes ? redact(record.attributes) : null,
    record.created_at,
    record.updated_at,
    id,
  );
  for (const { kind, normalised_name } of record.aliases)
    connection.later(
      `INSERT INTO entity_aliases (space, kind, normalised_name, entity_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      space,
      kind,
      redact(normalised_name),
      id,
    );
  return { id, isNew: true };
}

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += 5 * AT_ONCE) yield all.slice(at, at + 5 * AT_ONCE);
}
