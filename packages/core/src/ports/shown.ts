import type { Memory } from "../memory/memory.ts";

/** Moments at which a hook shows memories: a session's start, a prompt, a file, a failure. */
export const SHOWN_AT = ["start", "prompt", "file", "failure"] as const;
export type ShownAt = (typeof SHOWN_AT)[number];

/** Lines of one block that a hook gave to an agent. */
export interface Shown {
  /** Undefined where the host names no session: then the lines are counted, and belong to no replay. */
  readonly session: string | undefined;
  readonly surface: ShownAt;
  readonly lines: readonly { readonly id: number; readonly tokens: number }[];
}

/** Events of a session, as far as a caller may see them; each list in order of time. */
export interface SessionEvents {
  /** Member whose session it is. */
  readonly author: string;
  readonly authorId: number;
  /** It is a session of the caller's own. */
  readonly isOwn: boolean;
  /** Key of the project that it works in; undefined for none, and for one that is closed to the caller. */
  readonly project: string | undefined;
  /** Client and agent, as they stated themselves. */
  readonly client: string | undefined;
  readonly memories: readonly {
    readonly memory: Memory;
    /** Rule that found it; undefined for one that was stored on purpose. */
    readonly rule: string | undefined;
  }[];
  readonly edits: readonly {
    readonly path: string;
    readonly operation: string;
    /** Request behind it, where one is known. */
    readonly intent: string | undefined;
    readonly at: Date;
  }[];
  readonly shown: readonly {
    readonly memory: number;
    readonly surface: ShownAt;
    readonly tokens: number;
    readonly at: Date;
  }[];
}

export interface SessionQuery {
  readonly session: string;
  /** Name of its member; undefined: the caller's own session of that id, else the one that was active last. */
  readonly author?: string | undefined;
}
