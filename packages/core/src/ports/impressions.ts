import type { Memory } from "../memory/memory.ts";

/** Moments at which a hook shows memories: a session's start, a prompt, a file, a failure. */
export const SURFACES = ["start", "prompt", "file", "failure"] as const;
export type Surface = (typeof SURFACES)[number];

/** Lines of one block that a hook gave to an agent. */
export interface Impressions {
  /** Undefined if the host names no session: the lines are counted, but belong to no session's history. */
  readonly session: string | undefined;
  readonly surface: Surface;
  readonly lines: readonly { readonly id: number; readonly tokens: number }[];
}

/** Events of a session that the caller may see; each list in order of time. */
export interface SessionEvents {
  /** Member of the session. */
  readonly author: string;
  readonly authorId: number;
  /** Whether the session belongs to the caller. */
  readonly isOwn: boolean;
  /** Key of its project; undefined for none, and for one that is closed to the caller. */
  readonly project: string | undefined;
  /** Names that the client and agent sent. */
  readonly client: string | undefined;
  readonly memories: readonly {
    readonly memory: Memory;
    /** Rule that captured it; undefined for a memory that an agent stored. */
    readonly rule: string | undefined;
  }[];
  readonly edits: readonly {
    readonly path: string;
    readonly operation: string;
    /** Request that led to the edit, if known. */
    readonly intent: string | undefined;
    readonly at: Date;
  }[];
  readonly shown: readonly {
    readonly memory: number;
    readonly surface: Surface;
    readonly tokens: number;
    readonly at: Date;
  }[];
}

export interface SessionQuery {
  readonly session: string;
  /** Name of the member; undefined: the caller's own session with that id, or else the last active one. */
  readonly author?: string | undefined;
}
