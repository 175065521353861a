import type { Visibility } from "../access/space.ts";
import type { Layer } from "./layer.ts";
import type { Metadata } from "./metadata.ts";

/** Operation that ends a version whose words a language model has put in other words. */
export const REWORD = "reword";

/** Operation that ends such words again: its session has gone on, and a rule has found more. */
export const RECAPTURE = "recapture";

/** Keys of the projects that a memory was moved between. */
export interface MovedProjects {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Version of a memory before a change, with the change. */
export interface PastVersion {
  readonly version: number;
  readonly content: string;
  /** This field and the next are undefined in versions that were imported without them. */
  readonly layer: Layer | undefined;
  readonly importance: number | undefined;
  readonly tags: readonly string[];
  /** Undefined where a version was kept before it had any; in it, what was not set is absent. */
  readonly metadata: Partial<Metadata> | undefined;
  readonly visibility: Visibility | undefined;
  /** Condition on which it showed itself, as it is stored. */
  readonly trigger: string | undefined;
  /** Operation that ended this version: `revise`, `archive`, `supersede`, `restore`, `reword`, `recapture`. */
  readonly op: string;
  readonly reason: string | undefined;
  /** Present keys of the projects that a move went between; one that the caller may not open, or that is none, is absent. */
  readonly moved: MovedProjects | undefined;
  /** Name of the member. */
  readonly by: string;
  readonly changedAt: Date;
}

/** Operation that ended a version, with the projects that it moved the memory between. */
export const changeWords = (op: string | undefined, from: string | undefined, to: string | undefined): string =>
  [op, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(" ");
