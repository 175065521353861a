import {
  type AuditEntry,
  type CanonicalText,
  type EmbeddingIdentity,
  type Entity,
  type FileSnapshot,
  type Identities,
  identityParts,
  type LastWork,
  type Member,
  type MemberRow,
  type Memory,
  type MemoryReading,
  type MemorySource,
  type NewFileTouch,
  type NewToken,
  type NewTurn,
  type PastVersion,
  type ProjectRow,
  type SnapshotKey,
  type Space,
  type TokenRow,
  type TranscriptProgress,
  type WebhookRow,
} from "@chest/core";
import type { StoredRecord } from "./memory-authorization.ts";
import type { GapRow } from "./memory-gaps.ts";
import type { WorkRow } from "./memory-work.ts";

/** A memory with the text it is found by. */
export type StoredMemory = Memory & {
  readonly text: CanonicalText;
  readonly captureKey?: string | undefined;
  readonly rule?: string | undefined;
  readonly turn?: Turn | undefined;
  /** The condition on which it shows itself. */
  readonly trigger?: string | undefined;
  /** When it was taken from elsewhere. */
  readonly knownAt?: Date | undefined;
  /** Up to then its confidence has faded. */
  readonly confidenceFadedTo?: Date | undefined;
  /** The client that stored it. */
  readonly client?: string | undefined;
  readonly files?: readonly string[];
  readonly sources?: readonly MemorySource[];
  readonly lastVerifiedAt?: Date | undefined;
};

/** Part that a memory has in a conversation. */
export interface Turn extends Omit<NewTurn, "at"> {
  readonly score: number;
}

export interface SessionRow {
  readonly id: string;
  readonly memberId: number;
  readonly projectId: number | undefined;
  readonly progress: TranscriptProgress | undefined;
  /** When it last wrote; undefined for one that is known by its transcript alone. */
  readonly lastSeenAt?: Date | undefined;
}

export interface TouchRow extends NewFileTouch {
  readonly memberId: number;
  readonly memoryId: number | undefined;
  readonly space: Space;
}

interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly isManual: boolean;
  readonly note?: string | undefined;
  /** Left out: a pass of maintenance made it. */
  readonly author?: string | undefined;
  readonly at?: Date | undefined;
}

interface StoredRow {
  readonly memoryId: number;
  readonly identity: EmbeddingIdentity;
  readonly vector: Float32Array;
}

/** Everything a memory engine holds. Values are never changed in place, so a copy of the maps is a copy of it all. */
export interface State {
  lastId: number;
  identities: Identities;
  readonly entities: Map<number, Entity & { readonly space: Space; readonly names: readonly string[] }>;
  readonly memories: Map<number, StoredMemory>;
  /** Versions by memory, oldest first. */
  readonly pastVersions: Map<number, readonly PastVersion[]>;
  readonly events: { readonly entityId: number; readonly at: Date }[];
  readonly accesses: Map<number, readonly Date[]>;
  readonly readers: Map<number, readonly MemoryReading[]>;
  readonly projects: Map<string, number>;
  /** Other keys of projects. */
  readonly aliases: Map<string, number>;
  /** Projects whose access was set. */
  readonly closed: Map<number, Pick<ProjectRow, "access" | "memberIds">>;
  readonly members: Map<number, MemberRow>;
  /** Names of those who have written, members of a store or not. */
  readonly authors: Map<number, string>;
  readonly tokens: Map<number, TokenRow & Pick<NewToken, "hash">>;
  readonly authorizations: Map<string, StoredRecord>;
  readonly webhooks: Map<number, WebhookRow>;
  readonly snapshots: Map<string, FileSnapshot>;
  /** Sessions by member and id. */
  readonly sessions: Map<string, SessionRow>;
  /** Touches by member, session, turn and ordinal. */
  readonly touches: Map<string, TouchRow>;
  /** Snapshots by member and session. */
  readonly workSnapshots: Map<string, LastWork & { readonly memberId: number; readonly projectId: number | undefined }>;
  readonly work: Map<number, WorkRow>;
  /** Capture keys of what is gone for good. */
  readonly purged: Set<string>;
  readonly vectors: Map<string, StoredRow>;
  readonly claims: Map<string, { readonly claimant: string; readonly memoryId: number; readonly until: Date }>;
  /** Oldest first. */
  readonly audit: AuditEntry[];
  readonly answers: Map<string, { readonly hash: string; readonly answer: string; readonly spaces: readonly Space[] }>;
  /** Memories whose vector is new. */
  readonly uncompared: Set<number>;
  readonly gaps: GapRow[];
  readonly links: Link[];
  /** Consolidations by summary. */
  readonly consolidations: Map<number, { readonly replaced: readonly number[]; readonly isUndone: boolean }>;
  readonly confidences: {
    readonly runId: number;
    readonly memoryId: number;
    readonly before: number;
    readonly after: number;
  }[];
  readonly changes: { readonly runId: number; readonly pass: string; readonly memoryId: number }[];
}

export const emptyState = (active: EmbeddingIdentity): State => ({
  // The two built-in members have the first.
  lastId: 2,
  identities: { active, next: undefined },
  entities: new Map(),
  memories: new Map(),
  pastVersions: new Map(),
  events: [],
  accesses: new Map(),
  readers: new Map(),
  projects: new Map(),
  aliases: new Map(),
  closed: new Map(),
  members: new Map(),
  authors: new Map(),
  tokens: new Map(),
  authorizations: new Map(),
  webhooks: new Map(),
  snapshots: new Map(),
  sessions: new Map(),
  touches: new Map(),
  workSnapshots: new Map(),
  work: new Map(),
  purged: new Set(),
  vectors: new Map(),
  claims: new Map(),
  audit: [],
  answers: new Map(),
  uncompared: new Set(),
  gaps: [],
  links: [],
  consolidations: new Map(),
  confidences: [],
  changes: [],
});

export const copyOf = (state: State): State => ({
  lastId: state.lastId,
  identities: state.identities,
  entities: new Map(state.entities),
  memories: new Map(state.memories),
  pastVersions: new Map(state.pastVersions),
  events: [...state.events],
  accesses: new Map(state.accesses),
  readers: new Map(state.readers),
  projects: new Map(state.projects),
  aliases: new Map(state.aliases),
  closed: new Map(state.closed),
  members: new Map(state.members),
  authors: new Map(state.authors),
  tokens: new Map(state.tokens),
  authorizations: new Map(state.authorizations),
  webhooks: new Map(state.webhooks),
  snapshots: new Map(state.snapshots),
  sessions: new Map(state.sessions),
  touches: new Map(state.touches),
  workSnapshots: new Map(state.workSnapshots),
  work: new Map(state.work),
  purged: new Set(state.purged),
  vectors: new Map(state.vectors),
  claims: new Map(state.claims),
  audit: [...state.audit],
  answers: new Map(state.answers),
  uncompared: new Set(state.uncompared),
  gaps: [...state.gaps],
  links: [...state.links],
  consolidations: new Map(state.consolidations),
  confidences: [...state.confidences],
  changes: [...state.changes],
});

/** Id of the project that a key leads to; undefined while there is none. */
export const projectIdOf = ({ projects, aliases }: Pick<State, "projects" | "aliases">, key: string) =>
  projects.get(key) ?? aliases.get(key);

export const vectorKey = (memoryId: number, identity: EmbeddingIdentity): string =>
  [memoryId, ...identityParts(identity)].join("\n");

export const sessionKey = (memberId: number, session: string): string => JSON.stringify([memberId, session]);

export const snapshotKey = ({ id }: Member, { machine, session, path }: SnapshotKey): string =>
  JSON.stringify([id, machine, session, path]);

/** A row as its port shows it. */
export function plain(
  {
    text: _,
    captureKey: __,
    rule: ___,
    knownAt: ____,
    files: _____,
    turn: ______,
    trigger: _______,
    sources: ________,
    lastVerifiedAt: _________,
    confidenceFadedTo: __________,
    client: ___________,
    ...memory
  }: StoredMemory,
  { entities }: State,
): Memory {
  const momentum = entities.get(memory.entity.id)?.momentum ?? memory.entity.momentum;
  return { ...memory, entity: { ...memory.entity, momentum } };
}
