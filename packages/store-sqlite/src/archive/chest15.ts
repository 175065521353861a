import { tmpdir } from "node:os";
import { type ArchiveRecord, type SkippedRecord, stableUid } from "@chest/core/archive";
import {
  canonical,
  ENTITY_KINDS,
  type EntityKind,
  expiryOf,
  hashtagsOf,
  isProtected,
  type Layer,
  PINNED_FROM,
  readLayer,
} from "@chest/core/memory";
import { wellFormed } from "@chest/core/text";
import type Database from "better-sqlite3";
import { openForeign } from "./foreign-file.ts";
import { type ForeignRow, Table, tablesOf } from "./foreign-table.ts";

/**
 * Reads a database of mcp-chest-memory 1.5, without writing. Columns are found by name in any spelling, because its
 * releases differ; times may be seconds, milliseconds or text.
 * @param scratch folder for a temporary copy, if the file's own folder cannot be written.
 */
export function* readChest15(path: string, now: Date, scratch = tmpdir()): Generator<ArchiveRecord | SkippedRecord> {
  const nowS = Math.floor(now.getTime() / 1000);
  const { db, close } = openForeign(path, scratch);
  try {
    const tables = tablesOf(db);
    const entities = new Table(db, tables, "entities", ["id", "name"], path);
    const memories = new Table(db, tables, "memories", ["id", "content", "layer", "entity_id"], path);
    const uids = new Map<number, string>();
    const entityUids = new Map<number, string>();

    for (const row of entities.rows()) {
      const id = row.integer("id");
      const name = row.text("name");
      if (id === undefined || !name) continue;
      const uid = stableUid("chest15", "entity", id, name);
      entityUids.set(id, uid);
      yield entityRecord(row, uid, name, nowS);
    }
    for (const row of memories.rows()) {
      const id = row.integer("id");
      if (id !== undefined)
        uids.set(id, stableUid("chest15", id, row.at("created_at") ?? 0, row.integer("entity_id") ?? 0));
    }
    for (const row of memories.rows()) yield memoryRecord(row, uids, entityUids, nowS);

    yield* edits(Table.ifThere(db, tables, ["file_edits", "session_file_edits"]), uids);
    yield* consolidations(Table.ifThere(db, tables, ["consolidations"]), uids);
    yield* notTaken(db, tables);
  } finally {
    close();
  }
}

function entityRecord(row: ForeignRow, uid: string, name: string, nowS: number): ArchiveRecord {
  const created = row.at("created_at") ?? nowS;
  const key = row.text("canonical_key", "entity_key", "key");
  return {
    type: "entity",
    uid,
    kind: kindOf(row.text("kind", "type", "entity_kind")),
    name: wellFormed(name).slice(0, 500),
    ...(key ? { key: key.slice(0, 500) } : {}),
    created_at: created,
    updated_at: row.at("updated_at") ?? created,
    attributes: row.text("attributes") ?? null,
    aliases: [],
  };
}

const kindOf = (input: string | undefined): EntityKind =>
  ENTITY_KINDS.find((kind) => kind === input?.trim().toLowerCase()) ?? "other";

function memoryRecord(
  row: ForeignRow,
  uids: ReadonlyMap<number, string>,
  entityUids: ReadonlyMap<number, string>,
  nowS: number,
): ArchiveRecord | SkippedRecord {
  const id = row.integer("id");
  const uid = id === undefined ? undefined : uids.get(id);
  const entity = entityUids.get(row.integer("entity_id") ?? -1);
  const content = row.text("content");
  const layer = layerOf(row.text("layer"));
  const left = (reason: string): SkippedRecord => ({ type: "left", what: "memory", ref: id ?? "?", reason });
  if (id === undefined || uid === undefined || id < 1) return left("it has no id");
  if (content === undefined || content.trim() === "") return left("its content is blank");
  if (!layer) return left("its layer is unknown");
  if (!entity) return left("its entity is not there");

  const createdAt = row.at("created_at") ?? nowS;
  const stated = Math.min(1, Math.max(0, row.number("importance") ?? 0.5));
  // A row that 1.5 protects regardless of its layer is pinned.
  const importance = row.flag("protected") && !isProtected({ layer, importance: stated }) ? PINNED_FROM : stated;
  const successor = row.integer("superseded_by_id", "superseded_by", "superseded_by_memory_id");
  const supersededBy = successor === undefined || successor === id ? undefined : uids.get(successor);
  return {
    type: "memory",
    uid,
    id,
    entity,
    visibility: "team",
    content,
    columns: {
      layer,
      importance,
      created_at: createdAt,
      updated_at: row.at("updated_at") ?? createdAt,
      last_accessed_at: row.at("last_accessed_at") ?? null,
      access_count: row.integer("access_count") ?? 0,
      ...expiry(row, layer, importance, createdAt),
      ...archival(row, supersededBy !== undefined, createdAt),
      session_id: row.text("session_id") ?? null,
      source_type: "import",
      source: "chest15",
    },
    ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }),
    tags: hashtagsOf(canonical(content).content),
    files: [],
    sources: [],
    versions: [],
    vectors: [],
    accesses: [row.at("last_accessed_at") ?? []].flat(),
  };
}

function layerOf(word: string | undefined): Layer | undefined {
  try {
    return readLayer(word ?? "");
  } catch {
    return undefined;
  }
}

/** Expiry of an imported row: none if protected, otherwise its own or that of its layer. */
function expiry(row: ForeignRow, layer: Layer, importance: number, createdAt: number) {
  const stated = row.at("expires_at", "ttl_at");
  const usual = expiryOf(layer, new Date(createdAt * 1000));
  const usualAt = usual ? Math.floor(usual.getTime() / 1000) : undefined;
  if (stated === undefined) return { expires_at: isProtected({ layer, importance }) ? null : (usualAt ?? null) };
  return { expires_at: stated, expires_explicit: Number(stated !== usualAt) };
}

const REASONS = ["forget", "dropped", "expired", "cold", "superseded", "merged", "operator"];

function archival(row: ForeignRow, isSuperseded: boolean, createdAt: number) {
  const at =
    row.at("archived_at") ??
    (row.flag("archived", "is_archived") || isSuperseded ? (row.at("updated_at") ?? createdAt) : undefined);
  if (at === undefined) return {};
  const reason = row.text("archived_reason", "archive_reason") ?? "";
  const known = REASONS.includes(reason) ? reason : "operator";
  return { archived_at: at, archived_reason: isSuperseded ? "superseded" : known };
}

const OPERATIONS = ["read", "edit", "write", "bash"] as const;

function* edits(table: Table | undefined, uids: ReadonlyMap<number, string>): Generator<ArchiveRecord | SkippedRecord> {
  for (const row of table?.rows() ?? []) {
    const id = row.integer("id") ?? 0;
    const path = row.text("file_path", "path");
    const session = row.text("session_id") ?? "";
    const given = row.text("operation", "tool")?.toLowerCase();
    if (!path) yield { type: "left", what: "file edit", ref: id, reason: "it names no file" };
    else if (!/^[A-Za-z0-9._:-]{1,128}$/.test(session)) {
      yield { type: "left", what: "file edit", ref: id, reason: "its session has no usable id" };
    } else {
      const memory = uids.get(row.integer("memory_id") ?? -1);
      yield {
        type: "edit",
        session,
        visibility: "team",
        file_path: path,
        turn: `chest15:${id}`,
        ordinal: 0,
        ...(memory === undefined ? {} : { memory }),
        operation: OPERATIONS.find((operation) => operation === given) ?? "edit",
        snippet: row.text("context_snippet", "snippet", "context")?.slice(0, 300) ?? null,
        occurred_at: row.at("occurred_at", "edited_at", "created_at", "timestamp") ?? 0,
      };
    }
  }
}

function* consolidations(table: Table | undefined, uids: ReadonlyMap<number, string>): Generator<ArchiveRecord> {
  for (const row of table?.rows() ?? []) {
    const summary = uids.get(row.integer("summary_id", "learning_id", "new_memory_id") ?? -1);
    const replaced = numbersIn(row.text("replaced_ids", "replaced_memory_ids")).flatMap((id) => uids.get(id) ?? []);
    if (!summary) continue;
    yield {
      type: "consolidation",
      summary,
      replaced,
      original_layer: row.text("original_layer", "layer") ?? "learning",
      created_at: row.at("created_at", "consolidated_at") ?? 0,
      undone_at: null,
    };
  }
}

function numbersIn(text: string | undefined): number[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((each) => Number.isSafeInteger(each)) : [];
  } catch {
    return [];
  }
}

/** Tables of 1.5 that are not imported because Chest rebuilds them, with the reason. */
const NOT_TAKEN: readonly (readonly [what: string, reason: string, tables: readonly string[]])[] = [
  [
    "file snapshot",
    "what a past session had read of a file is of no use to another",
    ["file_snapshots", "read_snapshots"],
  ],
  ["event", "activity is counted from the memories themselves", ["events"]],
  ["edge", "it joins subjects, and Chest links memories", ["edges"]],
  ["session", "Chest notes sessions as they write", ["sessions"]],
  ["session snapshot", "a session that is over is not gone on with", ["session_snapshots"]],
  ["access", "what counts is how often and when a memory was last opened, which comes along", ["memory_access_log"]],
  ["file fact", "it is of a file as it was, and Chest reads files anew", ["file_facts"]],
];
const VECTORS = "1.5 does not record which text and which release of the model it was made of: it is made again";

function* notTaken(db: Database.Database, tables: ReadonlyMap<string, string>): Generator<SkippedRecord> {
  for (const [what, reason, names] of NOT_TAKEN) {
    for (const row of Table.ifThere(db, tables, names)?.rows() ?? []) {
      yield { type: "left", what, ref: row.integer("id") ?? "?", reason, isByDesign: true };
    }
  }
  for (const row of Table.ifThere(db, tables, ["memories"])?.rows() ?? []) {
    if (row.has("embedding", "embedding_json", "vector")) {
      yield { type: "left", what: "vector", ref: row.integer("id") ?? "?", reason: VECTORS, isByDesign: true };
    }
  }
}
