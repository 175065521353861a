import { z } from "zod";
import type { EntityKind } from "../../memory/entity.ts";
import { expiryOf, type Layer } from "../../memory/layer.ts";
import { isLinkType } from "../../memory/link.ts";
import { CATEGORIES, type Category, type Certainty, layerOfCategory } from "../../memory/metadata.ts";
import { hashtagsOf } from "../../memory/tags.ts";
import { redact } from "../../redaction/redact.ts";
import { type ArchiveRecord, type SkippedRecord, stableUid } from "../record.ts";

/** Memory of another system, in the terms of Chest. */
export interface ForeignMemory {
  /** Id in the other system, or position in its file: reported for rows that are left out. */
  readonly ref: string | number;
  /** Unique id of a memory that Chest itself exported; otherwise it is derived from system, key and content. */
  readonly uid?: string | undefined;
  /** Key that identifies it in the other system, in addition to its content. */
  readonly key?: string | number | undefined;
  readonly content: string;
  readonly title?: string | undefined;
  readonly name?: string | undefined;
  readonly category?: Category | undefined;
  /** Chosen by category if left out, else `learning`. */
  readonly layer?: Layer | undefined;
  /** Subject; `general` if left out. */
  readonly about?: { readonly name: string; readonly kind: EntityKind } | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly certainty?: Certainty | undefined;
  readonly evidence?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  readonly sources?: readonly Readonly<Record<string, string | number | null>>[] | undefined;
  readonly trigger?: string | undefined;
  readonly session?: string | undefined;
  readonly gitBranch?: string | undefined;
  readonly visibility?: "private" | "project" | "team" | undefined;
  readonly project?: string | undefined;
  /** Unix seconds. */
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly isArchived?: boolean | undefined;
  readonly links?: readonly { readonly to: string | number; readonly type: string }[] | undefined;
}

/**
 * Converts another system's memories to archive records. Each gets the same id on every reading, so a second import
 * finds it again. Lifetimes count from now.
 */
export function* foreignRecords(
  system: string,
  memories: readonly (ForeignMemory | SkippedRecord)[],
  now: Date,
): Generator<ArchiveRecord | SkippedRecord> {
  const nowS = Math.floor(now.getTime() / 1000);
  const uids = new Map<string, string>();
  const entities = new Set<string>();
  const names = new Set<string>();
  let id = 0;
  for (const memory of memories) {
    if ("type" in memory) {
      yield memory;
      continue;
    }
    if (memory.content.trim() === "") {
      yield { type: "left", what: "memory", ref: memory.ref, reason: "it says nothing" };
      continue;
    }
    const about = memory.about ?? { name: "general", kind: "other" as const };
    const entity = stableUid(system, "entity", about.kind, about.name);
    if (!entities.has(entity)) {
      entities.add(entity);
      yield { type: "entity", uid: entity, ...about, created_at: nowS, updated_at: nowS, aliases: [] };
    }
    id++;
    const uid = memory.uid ?? stableUid(system, memory.key ?? "", memory.content);
    if (memory.key !== undefined) uids.set(String(memory.key), uid);
    // Chest needs unique names; the other system allows one per conversation.
    const isTaken = memory.name !== undefined && names.has(memory.name);
    const name = isTaken ? String(memory.key ?? memory.ref) : memory.name;
    if (name !== undefined) names.add(name);
    yield recordOf(system, { ...memory, name }, { id, uid, entity, now });
  }
  for (const memory of memories) {
    if ("type" in memory || memory.key === undefined) continue;
    const from = uids.get(String(memory.key));
    for (const { to, type } of memory.links ?? []) {
      const other = uids.get(String(to));
      if (from === undefined || other === undefined || from === other) {
        yield { type: "left", what: "link", ref: memory.ref, reason: "one of its ends is not there" };
        continue;
      }
      const kind = isLinkType(type) ? type : "related_to";
      yield { type: "link", from, to: other, kind, note: null, origin: "manual", created_at: nowS };
    }
  }
}

interface RecordParts {
  readonly id: number;
  readonly uid: string;
  readonly entity: string;
  readonly now: Date;
}

function recordOf(system: string, memory: ForeignMemory, { id, uid, entity, now }: RecordParts): ArchiveRecord {
  const nowS = Math.floor(now.getTime() / 1000);
  const layer = memory.layer ?? (memory.category ? layerOfCategory(memory.category) : "learning");
  const fades = expiryOf(layer, now);
  const createdAt = Math.min(memory.createdAt ?? nowS, nowS);
  return {
    type: "memory",
    uid,
    id,
    entity,
    visibility: memory.visibility ?? "team",
    ...(memory.project === undefined ? {} : { project: memory.project }),
    content: memory.content,
    columns: {
      layer,
      importance: memory.importance ?? 0.5,
      created_at: createdAt,
      updated_at: Math.max(createdAt, Math.min(memory.updatedAt ?? createdAt, nowS)),
      expires_at: memory.expiresAt ?? (fades ? Math.floor(fades.getTime() / 1000) : null),
      source_type: "import",
      source: system,
      ...(memory.title ? { title: memory.title.slice(0, 500) } : {}),
      ...(memory.name ? { name: memory.name.slice(0, 500) } : {}),
      ...(memory.category ? { category: memory.category } : {}),
      ...(memory.confidence === undefined ? {} : { confidence: share(memory.confidence) }),
      ...(memory.certainty ? { certainty: memory.certainty } : {}),
      ...(memory.evidence?.length ? { evidence: JSON.stringify(memory.evidence.slice(0, 100)) } : {}),
      ...(memory.trigger ? { trigger: memory.trigger } : {}),
      ...(memory.session ? { session_id: memory.session.slice(0, 128) } : {}),
      ...(memory.gitBranch ? { git_branch: memory.gitBranch.slice(0, 500) } : {}),
      ...(memory.isArchived ? { archived_at: nowS, archived_reason: "operator" } : {}),
    },
    tags: [...new Set([...(memory.tags ?? []), ...hashtagsOf(redact(memory.content))])],
    files: [...new Set(memory.files ?? [])].map((path) => ({ path, role: "about" as const })),
    sources: (memory.sources ?? []).map((source) => ({ ...source })),
    versions: [],
    accesses: [],
    vectors: [],
  };
}

const share = (input: number): number => Math.min(1, Math.max(0, input));

/** Category for a word; undefined for a word that only the other system knows. */
export function categoryOf(word: string | undefined): Category | undefined {
  const plain = word?.trim().toLowerCase();
  if (plain === "bugfix" || plain === "pitfall") return "bug";
  return CATEGORIES.find((category) => category === plain);
}

/** Subject of a memory that belongs to a project: the last part of the project's path or name. */
export function projectSubject(project: string | undefined): ForeignMemory["about"] {
  const name = project?.split(/[\\/]/).filter(Boolean).at(-1);
  return name === undefined ? undefined : { name: name.slice(0, 500), kind: "project" };
}

const moment = z.union([z.number(), z.string()]);

/** Unix seconds from a time in seconds, milliseconds or text; undefined if there is none. */
export function secondsOf(input: unknown): number | undefined {
  const { data } = moment.safeParse(input);
  if (data === undefined || data === "") return undefined;
  const number = typeof data === "number" ? data : Number(data);
  if (Number.isFinite(number)) return Math.floor(number > 1e11 ? number / 1000 : number);
  const at = Date.parse(String(data));
  return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
}

/** Reads texts from a list, from JSON that holds a list, or from comma-separated text. */
export function textsOf(input: unknown): string[] {
  if (Array.isArray(input)) return input.map(String).filter((each) => each.trim() !== "");
  if (typeof input !== "string" || input.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(input);
    if (Array.isArray(list)) return textsOf(list);
  } catch {
    // The text is not JSON, so it is comma-separated.
  }
  return input
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
