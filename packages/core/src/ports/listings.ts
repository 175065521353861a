import type { Reach } from "../access/space.ts";
import type { Layer } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import type { Category } from "../memory/metadata.ts";
import type { Filter } from "./search.ts";
import type { SessionEvents, SessionQuery } from "./shown.ts";
import type { MemorySource } from "./sources.ts";

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

/** Category with what lies in it; of memories without one as well. */
export interface CategorySummary {
  readonly category: Category | undefined;
  readonly total: number;
  /** The most frequent first. */
  readonly tags: readonly TagCount[];
  /** Ordered by importance, then confidence. */
  readonly sample: readonly Memory[];
}

/** Live memories in reach that have the same layer, category, author and project. */
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
  /** With a source in a file. */
  readonly sourced: number;
  /** How many of those have a source that had changed or gone at the last check. */
  readonly stale: number;
  readonly verified: number;
  /** Shown by a hook. */
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

/** Connection of two memories, made by a caller or a pass of maintenance. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly note: string | undefined;
  readonly isManual: boolean;
  readonly author: string;
  readonly createdAt: Date;
}

/** Names of what a memory knows by id. */
export interface Names {
  /** Names by member id. */
  readonly authors: ReadonlyMap<number, string>;
  /** Keys, by project. */
  readonly projects: ReadonlyMap<number, string>;
}

/** Parts of a memory that its own row does not hold. */
export interface MemoryParts {
  /** The client that stored it, as it stated itself. */
  readonly client: string | undefined;
  readonly files: readonly { readonly path: string; readonly role: string }[];
  readonly sources: readonly MemorySource[];
}

/** Sum of what a session of a member left, as far as the caller may see it. */
export interface SessionSummary {
  readonly id: string;
  readonly author: string;
  /** Key of the project of its newest memory; undefined for none. */
  readonly project: string | undefined;
  readonly memories: number;
  /** Edits of files. */
  readonly edits: number;
  /** When its first and its last memory were made. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Files that it edited. */
  readonly files: number;
  /** Memory that says what it was about: its first request, else the first thing that it stored. */
  readonly named: number;
  /** Client and agent, as the newest memory has them. */
  readonly client: string | undefined;
}

/** One opening of a memory by a recall. */
export interface MemoryReading {
  /** Name of the member; undefined for what was opened before that was noted. */
  readonly by: string | undefined;
  readonly at: Date;
}

/** Lists and sums over what a caller may see, however it is asked for. */
export interface Listings {
  /** Tags of the memories that pass, by count; `total` counts the tags. */
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
  /** Links from and to some memories, newest first, where both ends are open to the caller. */
  links(ids: readonly number[]): Promise<readonly Link[]>;
  /** Sessions that left live memories in reach, the last active first; `total` counts all of them. */
  sessions(query: {
    readonly reach: Reach;
    /** Name of its member. */
    readonly author?: string | undefined;
    /** Only sessions that left something between these. */
    readonly since?: Date | undefined;
    readonly until?: Date | undefined;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly total: number; readonly sessions: readonly SessionSummary[] }>;
  /** Everything of one session that the caller may see, whatever project it was in; undefined where that is nothing. */
  sessionEvents(query: SessionQuery): Promise<SessionEvents | undefined>;
  /** How often live memories in reach were opened on each day of UTC since then, as far as that is kept. */
  openings(reach: Reach, since: Date): Promise<readonly { readonly day: string; readonly openings: number }[]>;
  names(memories: readonly Memory[]): Promise<Names>;
  /** Keys of the projects open to the caller that look like the one of a key, the oldest first. */
  projectsLike(key: string): Promise<readonly string[]>;
  /** Openings of a memory of late, newest first; empty where the caller may not open it. May lag by seconds. */
  readings(id: number, limit: number): Promise<readonly MemoryReading[]>;
  /** Undefined where the caller may not open the memory. */
  parts(id: number): Promise<MemoryParts | undefined>;
}
