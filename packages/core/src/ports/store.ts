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
import type { CallerSweeps } from "./lifecycle.ts";
import type { Listings } from "./listings.ts";
import type { PromotionReads, PromotionWrites } from "./promotions.ts";
import type { Filter, SearchIndex } from "./search.ts";
import type { SessionReads, SessionWrites } from "./sessions.ts";
import type { Shown } from "./shown.ts";
import type { SnapshotReads, SnapshotWrites } from "./snapshots.ts";
import type { SourceReads, SourceWrites } from "./sources.ts";
import type { TriggerReads, TriggerWrites } from "./triggers.ts";
import type { WorkReads, WorkWrites } from "./work.ts";

/** How often a memory was opened: what its heat is made of. The newest 50 count. */
export interface Accesses {
  readonly within30Days: number;
  readonly within90Days: number;
  /** All that are still noted. */
  readonly total: number;
  readonly lastAt: Date | undefined;
}

/** Accesses up to now, and those of them up to an earlier moment, where there are any. */
export interface AccessesTwice extends Accesses {
  readonly earlier: Accesses | undefined;
}

/** Orders of a list: newest, last used, hottest, most important or last archived first. */
export type BrowseOrder = "newest" | "oldest" | "used" | "hot" | "important" | "archived";

/** Place of a row in an order by which pages can be cut: the values that it is ordered by, its id last. */
export type BrowsePlace = readonly number[];

export interface Browse {
  readonly order: BrowseOrder;
  readonly usedWithinDays?: number | undefined;
  readonly where: Filter;
  /** Only what comes after this place. Not for what is ordered by use, since a place in that moves. */
  readonly after?: BrowsePlace | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface PastPage {
  /** The memory. */
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
  /** When the oldest and the newest were made; undefined where there is none. */
  readonly made: { readonly oldest: Date; readonly newest: Date } | undefined;
  /** Edits by sessions: their number, and how many files and sessions they concern. */
  readonly edits: { readonly edits: number; readonly files: number; readonly sessions: number };
  /** Files by number of edits, the ten busiest. */
  readonly topFiles: readonly { readonly path: string; readonly edits: number }[];
  /** Sessions that left a live memory or a use of a file. */
  readonly sessions: number;
  /** Live memories that stand for several. */
  readonly consolidations: number;
}

/** Reads of single rows; available in a transaction, too. */
export interface MemoryRows {
  /** In any state; undefined when there is none, or the caller may not open it. */
  byId(id: number): Promise<Memory | undefined>;
  /** Content of a memory in any state; undefined as for `byId`. */
  contentOf(id: number): Promise<string | undefined>;
  /** In any state and in the order asked, each once; ids the caller may not open are left out, or that lie out of reach. */
  byIds(ids: readonly number[], reach?: Reach): Promise<readonly Memory[]>;
  /** Live memories of entities whose name matches, newest first: what an entity asked for without a query lists. */
  newest(where: Filter, limit: number): Promise<readonly Memory[]>;
  /** By memory id; ids never opened are left out. */
  accesses(ids: readonly number[], now: Date, earlier: Date): Promise<ReadonlyMap<number, AccessesTwice>>;
  /** Live memories in reach without a vector of this identity. May lag by moments. */
  countPending(reach: Reach, identity: EmbeddingIdentity): Promise<number>;
}

export interface MemoryReads extends MemoryRows {
  /** A page of the memories that pass a filter, in one of the orders of a list; `total` counts all that pass. */
  browse(browse: Browse): Promise<{ readonly total: number; readonly memories: readonly Memory[] }>;
  /** Neighbours in time of one memory that pass a filter, the anchor left out; each list ascends. */
  around(
    anchor: Pick<Memory, "id" | "createdAt">,
    where: Filter,
    most: { readonly before: number; readonly after: number },
  ): Promise<{ readonly before: readonly Memory[]; readonly after: readonly Memory[] }>;
  /** How many live memories were made on each day of UTC since then, those days without any left out. */
  activity(reach: Reach, since: Date): Promise<readonly { readonly day: string; readonly memories: number }[]>;
  /**
   * Earlier versions of a memory in any state, newest first; empty where the caller may not open it. A version of a time
   * when fewer could open it is told to those alone.
   */
  pastVersions(page: PastPage): Promise<{ readonly total: number; readonly versions: readonly PastVersion[] }>;
  /** Until when those of these memories that were closed to the caller once were so; the rest are left out. */
  closedUntil(ids: readonly number[]): Promise<ReadonlyMap<number, Date>>;
  /** Sums over the live memories in reach. */
  overview(reach: Reach): Promise<Overview>;
  /** Live memories above a cursor that have no vector of this identity, by id; `remaining` counts all of them. */
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
  /** The entities of any kind and space that have this name, by the spelling of the oldest; undefined without a live memory in reach. */
  named(name: string, reach: Reach): Promise<{ readonly name: string; readonly ids: readonly number[] } | undefined>;
  /**
   * Ordered by recent activity, entities of one kind and name in several spaces as one; `total` counts what the filter
   * lists over all pages.
   */
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
}

export interface NewMemory {
  readonly entity: Entity;
  readonly layer: Layer;
  readonly text: CanonicalText;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly visibility: Visibility;
  /** Set for one that waits for a reviewer. */
  readonly requestedVisibility?: "team" | undefined;
  /** Key of the project it belongs to; made on first use. */
  readonly projectKey: string | undefined;
  readonly expiresAt: Date | undefined;
  readonly hasOwnExpiry: boolean;
  /** Left out: nothing is known but the defaults. */
  readonly metadata?: Partial<Metadata> | undefined;
  /** Paths of files that it is about. */
  readonly files?: readonly string[] | undefined;
  /** A memory whose space it shares, in any project; left out, the two above say where. */
  readonly beside?: Memory | undefined;
}

/** An entity as a caller names it, and where what is said of it lies: there alone is it looked for. */
export interface EntityName extends Pick<NewMemory, "visibility" | "projectKey"> {
  readonly name: string;
  readonly kind: EntityKind;
  readonly key: string | undefined;
}

export interface FoundEntity {
  readonly entity: Entity;
  /** A stored key other than the one given. */
  readonly keyConflict?: string;
  /** Its key was given under another name or kind than it has. */
  readonly isKnownOtherwise?: true;
  /** It was made by this call. */
  readonly isNew?: true;
}

/** Changes of meaning; undefined leaves a field alone, `null` clears it. */
export interface Revision {
  readonly text?: CanonicalText | undefined;
  readonly layer?: Layer | undefined;
  readonly importance?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
  /** The caller set that expiry; absent: whose it was before. */
  readonly hasOwnExpiry?: boolean | undefined;
  /** `undefined` clears a field, and an absent one stays. */
  readonly metadata?: Partial<Metadata> | undefined;
}

/** Place that a memory moves to. */
export interface NewPlace {
  readonly visibility: Visibility;
  /** Another project, made on first use; `""`: no project; undefined: the one it is in. */
  readonly projectKey?: string | undefined;
}

export interface MemoryWrites extends MemoryRows {
  /** The live memory of the same words in the same place, if there is one. */
  sameWords(memory: NewMemory): Promise<Memory | undefined>;
  /** Lets be captured again, and shown in journals, what a member says on purpose though it was forgotten. */
  sayAgain(memory: NewMemory): Promise<void>;
  /** The live memory of a name in that place, if there is one. */
  named(name: string, place: Pick<NewMemory, "visibility" | "projectKey">): Promise<Memory | undefined>;
  add(memory: NewMemory): Promise<Memory>;
  /** Files that it is about, beside those that are known already. */
  addFiles(memory: Memory, paths: readonly string[]): Promise<void>;
  /** Files that others are about or were edited in become its own as well. */
  takeFiles(memory: Memory, from: readonly Memory[]): Promise<void>;
  /** Counts a reader's verdict on it; a memory that was of use counts as verified now. */
  countVerdict(memory: Memory, verdict: Verdict): Promise<void>;
  /** Sets the marks of what it says by hand, as a version; they stay until its words or its title change. */
  flag(memory: Memory, flags: readonly string[], reason?: string): Promise<Memory>;
  /**
   * Keeps the old state as a version; new words are indexed and their vector dropped in this transaction.
   * @param reason in the caller's words, kept with that version; so it is below
   */
  revise(memory: Memory, revision: Revision, reason?: string): Promise<Memory>;
  /**
   * Puts words of a language model in place of ones that a rule made, which stay as a version ended by `REWORD` with the
   * model's name for a reason. What a session's capture finds later still takes the place of either.
   */
  reword(memory: Memory, text: CanonicalText, model: string): Promise<Memory>;
  archive(memory: Memory, why: ArchiveReason, reason?: string): Promise<void>;
  /**
   * Lets others see it, or fewer: its author's own, its project's, the team's. Throws where it belongs to no project. Another
   * visibility ends a wait for a reviewer.
   */
  move(memory: Memory, to: NewPlace, reason?: string): Promise<Memory>;
  /**
   * Brings an archived or superseded memory back, counted as used now; an expiry that is over begins anew. It stays
   * beside what had taken its place, linked to it.
   */
  restore(memory: Memory, reason?: string): Promise<Memory>;
  /** Whether every reader of one memory may, as of now, also open the other. */
  isOpenToReadersOf(read: Memory, other: Memory): Promise<boolean>;
  /** Archives `old` and links it to its successor. */
  supersede(old: Memory, successorId: number): Promise<void>;
}

export interface EntityWrites {
  /**
   * By key, else by kind and normalised name or an alias of it, else made. Every space has entities of its own, so that
   * none tells of memories that its readers may not open.
   */
  findOrAdd(entity: EntityName): Promise<FoundEntity>;
  /** Name and kind for a memory in that place that is given none. */
  subjectOf(place: Pick<EntityName, "visibility" | "projectKey">): Promise<Pick<EntityName, "name" | "kind">>;
  /** Counts an event of the entity and computes its momentum anew. */
  noteEvent(entityId: number, kind: EventKind, payload: Readonly<Record<string, number | string>>): Promise<Entity>;
}

export type EventKind = "memory_stored" | "memory_updated" | "memory_archived" | "memory_superseded";

export interface VectorWrites {
  /** Stores a memory's vector, normalised. One that it has for its present words stays: no member changes how another's is found. */
  put(memory: Memory, identity: EmbeddingIdentity, vector: Float32Array): Promise<void>;
  /** Whether a memory has a vector of the active identity for its present words. */
  isEmbedded(memory: Memory): Promise<boolean>;
  /**
   * Claims live memories without a vector of an identity that no other embedder works at; gives their ids, ascending.
   */
  claim(identity: EmbeddingIdentity, claim: Claim): Promise<readonly number[]>;
  /** Ends the claims of one claimant on these. */
  release(claimant: string, ids: readonly number[]): Promise<void>;
}

export interface Claim {
  readonly claimant: string;
  /** Only ids above it. */
  readonly cursor: number;
  readonly limit: number;
  readonly until: Date;
  /** Words written later are left to their writers. */
  readonly writtenBefore: Date;
}

export interface LinkWrites {
  /** In place of one of the same ends and type. Who may open the other end is asked before. */
  put(from: Memory, link: NewLink): Promise<void>;
  /** @returns whether there was one. */
  remove(from: Memory, link: Pick<NewLink, "to" | "type">): Promise<boolean>;
}

/** Changes to a store. Only `Store.write` hands them out. */
export interface Writes {
  /** Key of a project that this transaction has made; undefined for none. */
  madeProject(): string | undefined;
  readonly gaps: GapWrites;
  readonly home: HomeWrites;
  readonly memories: MemoryWrites;
  readonly conflicts: ConflictWrites;
  readonly promotions: PromotionWrites;
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

/** The store as one caller sees it. */
/** A statement that a write is about to keep: where the database is far away, what is beside it is asked for at once. */
export interface Foreseen extends Pick<NewMemory, "layer" | "visibility" | "projectKey"> {
  readonly text: Pick<NewMemory["text"], "content" | "contentHash">;
  /** Undefined: the project is the subject. */
  readonly subject?: { readonly name: string; readonly kind: EntityKind } | undefined;
  readonly entityKey?: string | undefined;
  /** It is stored although the same is stored already. */
  readonly isForced?: boolean | undefined;
}

export interface Store extends Reads {
  readonly search: SearchIndex;
  /** Sweeps that are due in the spaces this caller opens here. */
  readonly sweeps: CallerSweeps;
  /**
   * Runs work of more than one `write`, the last of which returns its answer. A repeat under the call's idempotency key
   * gets that answer, and nothing is run; where several processes share a store, two at once come one after the other.
   */
  once<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Asks at once for what is asked of these memories when they are measured and shown, where the database is far away:
   * their openings up to two moments, what contradicts them, their links.
   */
  ahead?(ids: readonly number[], now: Date, earlier: Date): void;
  /** Embedding identities of this store. */
  identities(): Promise<Identities>;
  /**
   * Runs `work` in one transaction, as if alone in what it touches. It may be run again before its commit, where an
   * engine lost a race for a row: so it changes nothing but through `tx`. What it returns is the call's answer, kept
   * under the call's idempotency key and given again to a repeat; so it holds ids and numbers, never content. Nothing
   * in it may wait for anything else.
   * @param about the statement that it is about to keep, as far as it is known before
   */
  write<T>(work: (tx: Writes) => Promise<T>, about?: Foreseen): Promise<T>;
  /** Noted now; written later, with many others. */
  noteAccess(ids: readonly number[]): void;
  /** Lines that a hook gave to an agent: noted now, written later, too. */
  noteShown(shown: Shown): void;
  /** Points that turns of conversations have earned, by id; written later, too. */
  noteTurns(points: ReadonlyMap<number, number>): void;
}
