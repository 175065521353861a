import { hash } from "node:crypto";
import { z } from "zod";
import { VISIBILITIES } from "../access/space.ts";
import { ENTITY_KINDS } from "../memory/entity.ts";
import { LINK_TYPES } from "../memory/link.ts";
import { LAST_SECOND } from "../memory/memory.ts";
import { INBOX_KINDS } from "../ports/inbox/notes.ts";
import { PRIORITIES, WORK_STATUSES } from "../ports/work.ts";

const uid = z.string().min(1).max(100);
const name = z.string().min(1).max(500);
/** In seconds since 1970. */
const at = z.int().min(0).max(LAST_SECOND);
const scalar = z.union([z.string(), z.number(), z.null()]);
/** Columns with the same meaning in both stores, by name; a column that the target store lacks is left out. */
const columns = z.record(z.string(), scalar).superRefine((input, { addIssue }) => {
  for (const [name, value] of Object.entries(input))
    if (name.endsWith("_at") && value !== null && !at.safeParse(value).success)
      addIssue({ code: "invalid_value", path: [name], values: [], input: value });
});
const place = { visibility: z.enum(VISIBILITIES), project: z.string().min(1).max(200).optional() };

/** Keys of the projects that it lay in before they were joined to its own, the first one first. */
const joined_from = z.array(z.string().min(1).max(200)).optional();

/**
 * A project precedes its memories in an archive, so that none of them is visible for a moment to members it is closed
 * to.
 */
const project = z.object({
  type: z.literal("project"),
  key: z.string().min(1).max(200),
  display_name: z.string().nullable(),
  access: z.enum(["open", "members"]),
  members: z.array(z.string().min(1).max(200)),
  /** Other keys that lead to it. */
  aliases: z.array(z.string().min(1).max(200)).default([]),
  /** Aliases that the project got when other projects were joined to it, with the projects that they led to. */
  joined: z.array(z.object({ key: z.string().min(1).max(200), joined_from })).optional(),
});

const entity = z.object({
  type: z.literal("entity"),
  uid,
  kind: z.enum(ENTITY_KINDS),
  name,
  key: name.optional(),
  created_at: at,
  updated_at: at,
  attributes: z.string().nullish(),
  aliases: z.array(z.object({ kind: z.enum(ENTITY_KINDS), normalised_name: name })).default([]),
});

const version = z.object({
  version: z.int().positive(),
  snapshot: z.string(),
  op: z.string(),
  reason: z.string().nullable(),
  author: z.string(),
  changed_at: at,
});

const vector = z.object({
  model: z.string(),
  revision: z.string(),
  dimensions: z.int().positive(),
  pooling: z.string(),
  vector: z.base64().describe("Float32, little-endian"),
});

/** Greatest id that an import keeps: the word index allocates one slot for each id up to the greatest. */
export const MOST_KEPT_ID = 100_000_000;

/** A memory with everything that is stored in the same transaction. */
const memory = z.object({
  type: z.literal("memory"),
  uid,
  /** Kept only in an empty store, so that citations stay valid. */
  id: z.int().positive(),
  entity: uid,
  ...place,
  /** Undefined: the importing member becomes the author. */
  author: z.string().min(1).max(200).optional(),
  content: z.string(),
  columns,
  superseded_by: uid.optional(),
  tags: z.array(z.string()).default([]),
  files: z.array(z.object({ path: z.string(), role: z.enum(["edited", "read", "about"]) })).default([]),
  sources: z.array(columns).default([]),
  versions: z.array(version).default([]),
  /** Times at which it was opened; the newest fifty. */
  accesses: z.array(at).default([]),
  vectors: z.array(vector).default([]),
});

const link = z.object({
  type: z.literal("link"),
  from: uid,
  to: uid,
  kind: z.enum([...LINK_TYPES, "summarises"]),
  note: z.string().nullable(),
  origin: z.enum(["manual", "auto"]),
  author: z.string().optional(),
  created_at: at,
});

const edit = z.object({
  type: z.literal("edit"),
  session: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/),
  memory: uid.optional(),
  ...place,
  author: z.string().optional(),
  file_path: z.string().min(1),
  operation: z.enum(["read", "edit", "write", "bash"]),
  /** Identifies a turn together with the ordinal, so that a repeat is recognised. */
  turn: z.string().min(1),
  ordinal: z.int(),
  snippet: z.string().nullable(),
  occurred_at: at,
  joined_from,
});

const consolidation = z.object({
  type: z.literal("consolidation"),
  summary: uid,
  replaced: z.array(uid),
  original_layer: z.string(),
  created_at: at,
  undone_at: at.nullable(),
});

/** A work item. Items with the same title, time and place are the same item. */
const work = z.object({
  type: z.literal("work"),
  project: z.string().min(1).max(200).optional(),
  author: z.string().min(1).max(200).optional(),
  title: z.string().min(1).max(1000),
  detail: z.string().nullable(),
  priority: z.literal(PRIORITIES),
  status: z.enum(WORK_STATUSES),
  files: z.array(z.string()),
  reason: z.string().nullable(),
  /** The memory that describes how the item was done. */
  closed_by: uid.optional(),
  created_at: at,
  closed_at: at.nullable(),
  joined_from,
});

/** Note on an item of the inbox: whom it is assigned to, until when it is put off, and why. */
const inbox = z.object({
  type: z.literal("inbox"),
  kind: z.enum(INBOX_KINDS),
  memory: uid,
  /** The other memory of a pair. */
  against: uid.optional(),
  assignee: z.string().min(1).max(200).optional(),
  snoozed_until: at.nullable(),
  reason: z.string().nullable(),
  author: z.string().min(1).max(200).optional(),
  noted_at: at,
});

/** One record of an archive; every import format is converted to these. */
export const archiveRecord = z.discriminatedUnion("type", [
  project,
  entity,
  memory,
  link,
  edit,
  consolidation,
  work,
  inbox,
]);
export type ArchiveRecord = z.output<typeof archiveRecord>;
export type ProjectRecord = z.output<typeof project>;
export type EntityRecord = z.output<typeof entity>;
export type MemoryRecord = z.output<typeof memory>;
export type LinkRecord = z.output<typeof link>;
export type EditRecord = z.output<typeof edit>;
export type WorkRecord = z.output<typeof work>;
export type InboxRecord = z.output<typeof inbox>;
export type ConsolidationRecord = z.output<typeof consolidation>;

/** A row that was not imported, with the reason. */
export interface SkippedRecord {
  readonly type: "left";
  readonly what: string;
  /** Its id or line in the source. */
  readonly ref: number | string;
  readonly reason: string;
  readonly isByDesign?: boolean;
}

/**
 * Derives an id from the parts of a foreign record: the same on every reading, so that a second import finds it again.
 */
export function stableUid(...parts: readonly (string | number)[]): string {
  const hex = hash("sha256", JSON.stringify(parts), "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
