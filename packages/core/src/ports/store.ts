import type { Reach, Visibility } from "../access/space.ts";
import type { CanonicalText } from "../memory/canonical.ts";
import type { Entity, EntityKind } from "../memory/entity.ts";
import type { Layer } from "../memory/layer.ts";
import type { NewLink } from "../memory/link.ts";
import type { ArchiveReason, Memory } from "../memory/memory.ts";
import type { Metadata } from "../memory/metadata.ts";
import type { PastVersion } from "../memory/past-version.ts";
import type { Verdict } from "../memory/verdict.ts";
import type { ConflictReads, ConflictWrites } from "./conflicts.ts";
import type { ConversationReads, ConversationWrites } from "./conversations.ts";
import type { EmbeddingIdentity } from "./embedder.ts";
import type { FileReads } from "./files/file-history.ts";
import type { GapReads, GapWrites } from "./gaps.ts";
import type { HomeReads, HomeWrites } from "./home.ts";
import type { Identities } from "./identities.ts";
import type { Impressions } from "./impressions.ts";
import type { InboxReads, InboxWrites } from "./inbox/notes.ts";
import type { PromotionReads, PromotionWrites } from "./inbox/promotions.ts";
import type { CallerSweeps } from "./lifecycle.ts";
import type { Listings } from "./listings.ts";
import type { Filter, SearchIndex } from "./search.ts";
import type { SessionReads, SessionWrites } from "./sessions.ts";
import type { SnapshotReads, SnapshotWrites } from "./snapshots.ts";
import type { SourceReads, SourceWrites } from "./sources.ts";
import type { TriggerReads, TriggerWrites } from "./triggers.ts";
import type { WorkReads, WorkWrites } from "./work.ts";

/** Openings of a memory, from which its heat is computed. The newest 50 count. */
export interface Accesses {
  readonly within30Days: number;
  readonly within90Days: number;
  /** All recorded openings. */
  readonly total: number;
  readonly lastAt: Date | undefined;
}

/** Openings up to now, and up to an earlier moment, if there are any. */
export interface AccessesTwice extends Accesses {
  readonly earlier: Accesses | undefined;
}

/** Orders of a list: newest, last used, hottest, most important or last archived first. */
export type BrowseOrder = "newest" | "oldest" | "used" | "hot" | "important" | "archived";

/** Position of a row in an order, for paging: the values of the order, then the id. */
export type BrowsePlace = readonly number[];

export interface Browse {
  readonly order: BrowseOrder;
  readonly usedWithinDays?: number | undefined;
  readonly where: Filter;
  /** Only rows after this position. Not for the order `used`, in which positions change. */
  readonly after?: BrowsePlace | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface PastPage {
  /** Id of the memory. */
  readonly id: number;
  readonly limit: number;
  readonly offset: number;
}

export interface Overview {
  readonly layers: readonly {
    readonly layer: Layer;
    readonly kind: EntityKind;
    readonly memories: number;
    readonly pinned: number;
  }[];
  readonly entities: readonly { readonly kind: EntityKind; readonly entities: number }[];
  /** Creation of the oldest and the newest memory; undefined if there is none. */
  readonly createdBetween: { readonly oldest: Date; readonly newest: Date } | undefined;
  /** Edits by sessions: their number, and the number of files and sessions. */
  readonly edits: { readonly edits: number; readonly files: number; readonly sessions: number };
  /** The ten most edited files. */
  readonly topFiles: readonly { readonly path: string; readonly edits: number }[];
  /** Sessions with a live memory or a file use. */
  readonly sessions: number;
  /** Live summaries of several memories. */
  readonly consolidations: number;
}

/** Reads of single rows, also available in a transaction. */
export interface MemoryRows {
  /** A memory in any state; undefined if it does not exist or the caller may not open it. */
  byId(id: number): Promise<Memory | undefined>;
  /** Content of a memory in any state; undefined as for `byId`. */
  contentOf(id: number): Promise<string | undefined>;
  /**
   * Memories in any state, in the given order, each once. Ids that do not exist, are out of reach or may not be opened
   * are left out.
   */
  byIds(ids: readonly number[], reach?: Reach): Promise<readonly Memory[]>;
  /** Live memories of matching entities, newest first: the answer for an entity without a query. */
  newest(where: Filter, limit: number): Promise<readonly Memory[]>;
  /** Openings by memory id; memories that were never opened are left out. */
  accesses(ids: readonly number[], now: Date, earlier: Date): Promise<ReadonlyMap<number, AccessesTwice>>;
  /** Live memories in reach without a vector of this identity. May lag by moments. */
  countPending(reach: Reach, identity: EmbeddingIdentity): Promise<number>;
}

export interface MemoryReads extends MemoryRows {
  /** A page of the memories that pass a filter, in one of the orders of a list; `total` counts all that pass. */
  browse(browse: Browse): Promise<{ readonly total: number; readonly memories: readonly Memory[] }>;
  /** Memories before and after one memory in time that pass a filter, without it; each list ascends. */
  around(
    anchor: Pick<Memory, "id" | "createdAt">,
    where: Filter,
    most: { readonly before: number; readonly after: number },
  ): Promise<{ readonly before: readonly Memory[]; readonly after: readonly Memory[] }>;
  /** Number of live memories created per UTC day; days without any are left out. */
  activity(reach: Reach, since: Date): Promise<readonly { readonly day: string; readonly memories: number }[]>;
  /**
   * Earlier versions of a memory in any state, newest first; empty if the caller may not open it. A version from a time
   * of narrower visibility is shown only to members who could open it then.
   */
  pastVersions(page: PastPage): Promise<{ readonly total: number; readonly versions: readonly PastVersion[] }>;
  /** Time until which each of these memories was closed to the caller; memories that never were are left out. */
  closedUntil(ids: readonly number[]): Promise<ReadonlyMap<number, Date>>;
  /** Totals of the live memories in reach. */
  overview(reach: Reach): Promise<Overview>;
  /** Live memories above a cursor without a vector of this identity, by id; `remaining` counts all of them. */
  pending(
    identity: EmbeddingIdentity,
    cursor: number,
    limit: number,
  ): Promise<{ readonly memories: readonly Memory[]; readonly remaining: number }>;
}

export interface EntityQuery {
  readonly reach: Reach;
  readonly kind?: EntityKind | undefined;
  readonly minMemories: number;
  readonly limit: number;
  readonly offset: number;
}

export interface EntitySummary extends Entity {
  /** All counts are of live memories in reach. */
  readonly memoryCount: number;
  readonly pinnedCount: number;
  readonly layers: Readonly<Record<Layer, number>>;
  readonly lastMemoryAccessAt: Date | undefined;
}

export interface EntityReads {
  /**
   * Entities of any kind and space with this name, in the spelling of the oldest; undefined if they have no live memory
   * in reach.
   */
  byName(name: string, reach: Reach): Promise<{ readonly name: string; readonly ids: readonly number[] } | undefined>;
  /** By recent activity; entities with the same kind and name in several spaces are one. `total` counts all pages. */
  list(query: EntityQuery): Promise<{ readonly total: number; readonly entities: readonly EntitySummary[] }>;
}

export interface Reads {
  readonly gaps: GapReads;
  readonly home: HomeReads;
  readonly memories: MemoryReads;
  readonly entities: EntityReads;
  readonly snapshots: SnapshotReads;
  readonly sessions: SessionReads;
  readonly files: FileReads;
  readonly conversations: ConversationReads;
  readonly triggers: TriggerReads;
  readonly work: WorkReads;
  readonly listings: Listings;
  readonly sources: SourceReads;
  readonly conflicts: ConflictReads;
  readonly promotions: PromotionReads;
  readonly inbox: InboxReads;
}

export interface NewMemory {
  readonly entity: Entity;
  readonly layer: Layer;
  readonly text: CanonicalText;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly visibility: Visibility;
  /** Set if a reviewer must approve the visibility. */
  readonly requestedVisibility?: "team" | undefined;
  /** Key of its project, which is created on first use. */
  readonly projectKey: string | undefined;
  readonly expiresAt: Date | undefined;
  readonly hasOwnExpiry: boolean;
  /** Defaults apply if absent. */
  readonly metadata?: Partial<Metadata> | undefined;
  /** Paths of files that the memory is about. */
  readonly files?: readonly string[] | undefined;
  /** Memory in whose space it is stored, in any project; if absent, the two fields above decide. */
  readonly beside?: Memory | undefined;
}

/** An entity as a caller names it, with the space in which it is looked up. */
export interface EntityName extends Pick<NewMemory, "visibility" | "projectKey"> {
  readonly name: string;
  readonly kind: EntityKind;
  readonly key: string | undefined;
}

export interface FoundEntity {
  readonly entity: Entity;
  /** The stored key, if it differs from the given one. */
  readonly keyConflict?: string;
  /** The given key belongs to an entity with another name or kind. */
  readonly isKnownOtherwise?: true;
  /** True if this call created the entity. */
  readonly isNew?: true;
}

/** Changes to a memory; undefined leaves a field unchanged, `null` clears it. */
export interface Revision {
  readonly text?: CanonicalText | undefined;
  readonly layer?: Layer | undefined;
  readonly importance?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
  /** Whether the caller sets the expiry; absent: unchanged. */
  readonly hasOwnExpiry?: boolean | undefined;
  /** `undefined` clears a field; an absent field is unchanged. */
  readonly metadata?: Partial<Metadata> | undefined;
}

/** Place that a memory moves to. */
export interface NewPlace {
  readonly visibility: Visibility;
  /** Another project, made on first use; `""`: no project; undefined: the one it is in. */
  readonly projectKey?: string | undefined;
}

export interface MemoryWrites extends MemoryRows {
  /** The live memory with the same text in the same place, if any. */
  sameWords(memory: NewMemory): Promise<Memory | undefined>;
  /** Allows a forgotten statement to be captured and shown again, because the member now states it on purpose. */
  sayAgain(memory: NewMemory): Promise<void>;
  /** The live memory with this name in that place, if any. */
  byName(name: string, place: Pick<NewMemory, "visibility" | "projectKey">): Promise<Memory | undefined>;
  add(memory: NewMemory): Promise<Memory>;
  /** Adds files to those that the memory is about. */
  addFiles(memory: Memory, paths: readonly string[]): Promise<void>;
  /** Adds the files of other memories to this one. */
  takeFiles(memory: Memory, from: readonly Memory[]): Promise<void>;
  /** Counts a reader's verdict; `useful` also verifies the memory. */
  countVerdict(memory: Memory, verdict: Verdict): Promise<void>;
  /** Sets the flags of a memory by hand, recorded as a version; they stay until its text or title changes. */
  flag(memory: Memory, flags: readonly string[], reason?: string): Promise<Memory>;
  /**
   * Changes a memory and keeps the old state as a version. A new text is indexed, and its vector is dropped, in this
   * transaction.
   * @param reason given by the caller, stored with the version; the same below
   */
  revise(memory: Memory, revision: Revision, reason?: string): Promise<Memory>;
  /**
   * Replaces a captured text by a language model's wording. The old text stays as a version ended by `REWORD`, with the
   * model's name as the reason. A later capture of the session replaces either.
   */
  reword(memory: Memory, text: CanonicalText, model: string): Promise<Memory>;
  archive(memory: Memory, why: ArchiveReason, reason?: string): Promise<void>;
  /**
   * Lets others see it, or fewer: its author's own, its project's, the team's. Throws where it belongs to no project. Another
   * visibility ends a wait for a reviewer.
   */
  move(memory: Memory, to: NewPlace, reason?: string): Promise<Memory>;
  /**
   * Restores an archived or superseded memory and counts it as used now; a passed expiry starts again. It stays beside
   * its former successor, linked to it.
   */
  restore(memory: Memory, reason?: string): Promise<Memory>;
  /** Whether every reader of one memory may also open the other now. */
  isOpenToReadersOf(read: Memory, other: Memory): Promise<boolean>;
  /** Archives `old` and links it to its successor. */
  supersede(old: Memory, successorId: number): Promise<void>;
}

export interface EntityWrites {
  /**
   * Finds an entity by key, or by kind and normalised name or alias; otherwise creates it. Each space has its own
   * entities, so that an entity reveals no memory that its readers may not open.
   */
  findOrAdd(entity: EntityName): Promise<FoundEntity>;
  /** Default subject of a memory in that place. */
  subjectOf(place: Pick<EntityName, "visibility" | "projectKey">): Promise<Pick<EntityName, "name" | "kind">>;
  /** Records an event of the entity and recomputes its momentum. */
  noteEvent(entityId: number, kind: EventKind, payload: Readonly<Record<string, number | string>>): Promise<Entity>;
}

export type EventKind = "memory_stored" | "memory_updated" | "memory_archived" | "memory_superseded";

export interface VectorWrites {
  /**
   * Stores a memory's normalised vector. An existing vector of the present text stays, so that no member changes how
   * another's memory is found.
   */
  put(memory: Memory, identity: EmbeddingIdentity, vector: Float32Array): Promise<void>;
  /** Whether the memory's present text has a vector of the active identity. */
  isEmbedded(memory: Memory): Promise<boolean>;
  /**
   * Claims live memories without a vector of an identity that no other embedder has claimed; returns their ids,
   * ascending.
   */
  claim(identity: EmbeddingIdentity, claim: Claim): Promise<readonly number[]>;
  /** Ends a claimant's claims on these memories. */
  release(claimant: string, ids: readonly number[]): Promise<void>;
}

export interface Claim {
  readonly claimant: string;
  /** Only ids above this one. */
  readonly cursor: number;
  readonly limit: number;
  readonly until: Date;
  /** Later texts are left to the clients that wrote them. */
  readonly writtenBefore: Date;
}

export interface LinkWrites {
  /** Replaces a link with the same ends and type. The caller must check before who may open the other end. */
  put(from: Memory, link: NewLink): Promise<void>;
  /** @returns whether there was such a link */
  remove(from: Memory, link: Pick<NewLink, "to" | "type">): Promise<boolean>;
}

/** Changes to a store, available only inside `Store.write`. */
export interface Writes {
  /** Key of a project that this transaction has made; undefined for none. */
  madeProject(): string | undefined;
  readonly gaps: GapWrites;
  readonly home: HomeWrites;
  readonly memories: MemoryWrites;
  readonly conflicts: ConflictWrites;
  readonly promotions: PromotionWrites;
  readonly inbox: InboxWrites;
  readonly entities: EntityWrites;
  readonly vectors: VectorWrites;
  readonly links: LinkWrites;
  readonly sources: SourceWrites;
  readonly snapshots: SnapshotWrites;
  readonly sessions: SessionWrites;
  readonly conversations: ConversationWrites;
  readonly triggers: TriggerWrites;
  readonly work: WorkWrites;
}

/**
 * Statement that a write is about to store, so that a distant database is queried once for everything that concerns it.
 */
export interface Foreseen extends Pick<NewMemory, "layer" | "visibility" | "projectKey"> {
  readonly text: Pick<NewMemory["text"], "content" | "contentHash">;
  /** Undefined: the project is the subject. */
  readonly subject?: { readonly name: string; readonly kind: EntityKind } | undefined;
  readonly entityKey?: string | undefined;
  /** Stored even if the same statement exists. */
  readonly isForced?: boolean | undefined;
}

/** The store as one caller sees it. */
export interface Store extends Reads {
  readonly search: SearchIndex;
  /** Sweeps over the spaces that the caller may open here. */
  readonly sweeps: CallerSweeps;
  /**
   * Runs work with several calls of `write`; the last one returns the answer. A repeat under the same idempotency key
   * gets that answer without running. Between processes, two concurrent calls run one after the other.
   */
  once<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Fetches in one query what will be needed to score and show these memories, if the database is remote: openings up
   * to two moments, contradictions, links.
   */
  ahead?(ids: readonly number[], now: Date, earlier: Date): void;
  /** Embedding identities of this store. */
  identities(): Promise<Identities>;
  /**
   * Runs `work` in one serialised transaction. It may run again before its commit, so it must change nothing except
   * through `tx`. Its result is the call's answer and is stored under the call's idempotency key; so it contains ids
   * and numbers, never content. It must not wait for anything else.
   * @param about the statement to be stored, as far as it is known
   */
  write<T>(work: (tx: Writes) => Promise<T>, about?: Foreseen): Promise<T>;
  /** Buffers openings; written later, with many others. */
  noteAccess(ids: readonly number[]): void;
  /** Buffers the lines that a hook showed to an agent; written later. */
  noteImpressions(shown: Impressions): void;
  /** Buffers points for turns of conversations, by id; written later. */
  noteTurns(points: ReadonlyMap<number, number>): void;
}
