import type { Reach } from "../access/space.ts";
import type { Layer } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import type { Category } from "../memory/metadata.ts";
import type { SessionEvents, SessionQuery } from "./impressions.ts";
import type { Filter } from "./search.ts";
import type { MemorySource } from "./sources.ts";

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

/** A category with its tags and a sample; also for memories without a category. */
export interface CategorySummary {
  readonly category: Category | undefined;
  readonly total: number;
  /** The most frequent first. */
  readonly tags: readonly TagCount[];
  /** Ordered by importance, then confidence. */
  readonly sample: readonly Memory[];
}

/** Number of live memories with the same layer, category, author and project. */
export interface Share {
  readonly layer: Layer;
  readonly category: Category | undefined;
  readonly author: string;
  /** Key of the project. */
  readonly project: string | undefined;
  readonly memories: number;
  readonly pinned: number;
  readonly titled: number;
  readonly tagged: number;
  /** Number with a source in a file. */
  readonly sourced: number;
  /** Number of those whose source had changed or was missing at the last check. */
  readonly stale: number;
  readonly verified: number;
  /** How often a hook showed it. */
  readonly shown: number;
  readonly useful: number;
  /** Bytes of content. */
  readonly bytes: number;
}

export interface Statistics {
  readonly shares: readonly Share[];
  readonly archived: number;
  readonly superseded: number;
}

/** A link between two memories, made by a caller or a maintenance pass. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly note: string | undefined;
  readonly isManual: boolean;
  readonly author: string;
  readonly createdAt: Date;
}

/** Names for the ids in a memory. */
export interface Names {
  /** Names by member id. */
  readonly authors: ReadonlyMap<number, string>;
  /** Keys, by project. */
  readonly projects: ReadonlyMap<number, string>;
}

/** Parts of a memory that are stored in other tables. */
export interface MemoryParts {
  /** Name that the storing client sent. */
  readonly client: string | undefined;
  readonly files: readonly { readonly path: string; readonly role: string }[];
  readonly sources: readonly MemorySource[];
}

/** Summary of a member's session that the caller may see. */
export interface SessionSummary {
  readonly id: string;
  readonly author: string;
  /** Key of the project of its newest memory; undefined if it has none. */
  readonly project: string | undefined;
  readonly memories: number;
  /** Number of file edits. */
  readonly edits: number;
  /** Time of its first memory. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Number of edited files. */
  readonly files: number;
  /** Id of the memory that describes it: its first request, or else its first memory. */
  readonly named: number;
  /** Client and agent, as the newest memory has them. */
  readonly client: string | undefined;
}

/** One recall that opened a memory. */
export interface MemoryReading {
  /** Name of the member; undefined for old entries, which do not record it. */
  readonly by: string | undefined;
  readonly at: Date;
}

/** Lists and totals of what a caller may see. */
export interface Listings {
  /** Tags of the matching memories, by count; `total` counts the tags. */
  tags(query: {
    readonly where: Filter;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly total: number; readonly tags: readonly TagCount[] }>;
  /** The largest first. */
  categories(query: {
    readonly where: Filter;
    readonly tags: number;
    readonly sample: number;
  }): Promise<readonly CategorySummary[]>;
  statistics(reach: Reach): Promise<Statistics>;
  /** Links from and to these memories, newest first; only if the caller may open both ends. */
  links(ids: readonly number[]): Promise<readonly Link[]>;
  /** Sessions with live memories that the caller may see, the last active first; `total` counts all of them. */
  sessions(query: {
    readonly reach: Reach;
    /** Name of the session's member. */
    readonly author?: string | undefined;
    /** Only sessions that stored something in this period. */
    readonly since?: Date | undefined;
    readonly until?: Date | undefined;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly total: number; readonly sessions: readonly SessionSummary[] }>;
  /** All events of one session that the caller may see, in any project; undefined if there are none. */
  sessionEvents(query: SessionQuery): Promise<SessionEvents | undefined>;
  /** Number of openings of live memories per UTC day since then, as far back as they are recorded. */
  openings(reach: Reach, since: Date): Promise<readonly { readonly day: string; readonly openings: number }[]>;
  names(memories: readonly Memory[]): Promise<Names>;
  /** Keys of the projects open to the caller that look like the one of a key, the oldest first. */
  projectsLike(key: string): Promise<readonly string[]>;
  /** Openings of a memory of late, newest first; empty where the caller may not open it. May lag by seconds. */
  readings(id: number, limit: number): Promise<readonly MemoryReading[]>;
  /** Undefined if the caller may not open the memory. */
  parts(id: number): Promise<MemoryParts | undefined>;
}
