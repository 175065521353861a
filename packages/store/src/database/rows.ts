import type { Space } from "@chest/core/access";
import {
  type Category,
  type Certainty,
  DEFAULT_METADATA,
  type Entity,
  type EntityKind,
  type Layer,
  type Memory,
  type Metadata,
  stateOf,
} from "@chest/core/memory";
import type { Filter } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import type { entitiesModel, memoriesModel } from "../generated/models.ts";
import { listIn, statements } from "./dialect.ts";

export const metadataCells = (metadata: Metadata) => ({
  title: metadata.title ?? null,
  name: metadata.name ?? null,
  category: metadata.category ?? null,
  source_type: metadata.sourceType,
  confidence: metadata.confidence,
  certainty: metadata.certainty,
  evidence: metadata.evidence.length === 0 ? null : JSON.stringify(metadata.evidence),
  git_commit: metadata.gitCommit ?? null,
  git_branch: metadata.gitBranch ?? null,
});

export type MetadataCells = Pick<memoriesModel, keyof ReturnType<typeof metadataCells>>;

/** Columns of a memory's metadata. */
export const METADATA_COLUMNS = Object.keys(metadataCells(DEFAULT_METADATA)) as (keyof MetadataCells)[];

/** Columns of a memory's own row; their types are the schema's. */
const OWN_COLUMNS = [
  "id",
  "uid",
  "entity_id",
  "project_id",
  "author_id",
  "session_id",
  "visibility",
  "requested_visibility",
  "space",
  "content",
  "content_hash",
  "layer",
  "importance",
  "created_at",
  "updated_at",
  "last_accessed_at",
  "access_count",
  "expires_at",
  "archived_at",
  "archived_reason",
  "superseded_by_id",
  "version",
  "trust_reasons",
  ...METADATA_COLUMNS,
] as const;

/** Columns of a memory with those of its entity. */
export const memoryColumns = statements(
  (d) => `${OWN_COLUMNS.map((name) => `m.${name}`).join(", ")}, m.expires_explicit,
  act.score AS activation_score, act.computed_at AS activation_computed_at,
  e.name AS entity_name, e.kind AS entity_kind, e.momentum_score AS entity_momentum,
  ${d.listOf("tag", "memory_tags t WHERE t.memory_id = m.id")} AS tags`,
);

/** FROM clause for those columns. */
export const MEMORY_FROM = `FROM memories m JOIN entities e ON e.id = m.entity_id
  LEFT JOIN memory_activation act ON act.memory_id = m.id`;

export type MemoryRow = Pick<memoriesModel, (typeof OWN_COLUMNS)[number]> & {
  readonly entity_name: string;
  readonly entity_kind: string;
  readonly entity_momentum: number;
  readonly activation_score: number | null;
  readonly activation_computed_at: number | null;
  /** SQLite has no boolean type and returns 0 and 1. */
  readonly expires_explicit: number | boolean;
  readonly tags: readonly string[] | string;
};

const toMetadata = (row: MetadataCells): Metadata => ({
  title: row.title ?? undefined,
  name: row.name ?? undefined,
  category: (row.category as Category | null) ?? undefined,
  sourceType: row.source_type,
  confidence: row.confidence,
  certainty: row.certainty as Certainty,
  evidence: row.evidence === null ? [] : textsIn(row.evidence),
  gitCommit: row.git_commit ?? undefined,
  gitBranch: row.git_branch ?? undefined,
});

/** Evidence that is not a list of texts, from another release, is shown unchanged. */
function textsIn(json: string): readonly string[] {
  const list = parsedJson(json);
  return Array.isArray(list) ? list.map((each) => (typeof each === "string" ? each : JSON.stringify(each))) : [json];
}

export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);
export const toDate = (seconds: number): Date => new Date(seconds * 1000);
export const toDateIfAny = (seconds: number | null): Date | undefined =>
  seconds === null ? undefined : toDate(seconds);

export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    uid: row.uid,
    entity: {
      id: row.entity_id,
      name: row.entity_name,
      kind: row.entity_kind as EntityKind,
      momentum: row.entity_momentum,
    },
    layer: row.layer as Layer,
    content: row.content,
    contentHash: row.content_hash,
    tags: [...listIn(row.tags)],
    importance: row.importance,
    visibility: row.visibility as Memory["visibility"],
    space: row.space,
    requestedVisibility: (row.requested_visibility as Memory["requestedVisibility"] | null) ?? undefined,
    projectId: row.project_id ?? undefined,
    session: row.session_id ?? undefined,
    authorId: row.author_id,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
    lastAccessedAt: toDateIfAny(row.last_accessed_at),
    accessCount: row.access_count,
    expiresAt: toDateIfAny(row.expires_at),
    hasOwnExpiry: Boolean(row.expires_explicit),
    archivedAt: toDateIfAny(row.archived_at),
    archivedReason: (row.archived_reason as Memory["archivedReason"]) ?? undefined,
    supersededById: row.superseded_by_id ?? undefined,
    activation:
      row.activation_score === null || row.activation_computed_at === null
        ? undefined
        : { score: row.activation_score, computedAt: toDate(row.activation_computed_at) },
    version: row.version,
    flags: row.trust_reasons === null ? [] : textsIn(row.trust_reasons),
    ...toMetadata(row),
  };
}

export type EntityRow = Pick<entitiesModel, "id" | "name" | "kind" | "canonical_key" | "momentum_score">;

export function toEntity(row: EntityRow): Entity {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as EntityKind,
    canonicalKey: row.canonical_key ?? undefined,
    momentum: row.momentum_score,
  };
}

/** Suffix of a scope for archived memories. */
const MARK = { live: "", archived: ".a", superseded: ".s" } as const;

/** Scope of a memory's text: its space, with a suffix for archived and superseded memories. */
export const scopeOf = (memory: Pick<Memory, "space" | "archivedAt" | "supersededById">): string =>
  memory.space + MARK[stateOf(memory)];

/** Columns that determine a scope. */
export interface ScopedRow {
  readonly space: Space;
  readonly archived_at: number | null;
  readonly superseded_by_id: number | null;
}

export const scopeOfRow = ({ space, archived_at, superseded_by_id }: ScopedRow): string =>
  scopeOf({ space, archivedAt: toDateIfAny(archived_at), supersededById: superseded_by_id ?? undefined });

/** Scope of archived memories in a space. */
export const archivedIn = (space: Space): string => space + MARK.archived;

/** All scopes that a filter includes. */
export function scopesOf(
  spaces: readonly Space[],
  { withArchived, withSuperseded }: Pick<Filter, "withArchived" | "withSuperseded">,
): string[] {
  const marks: string[] = [MARK.live];
  if (withArchived) marks.push(MARK.archived);
  if (withSuperseded) marks.push(MARK.superseded);
  return spaces.flatMap((space) => marks.map((mark) => space + mark));
}

/** The space of a scope. */
export const spaceOfScope = (scope: string): Space => scope.split(".", 1)[0] as Space;
