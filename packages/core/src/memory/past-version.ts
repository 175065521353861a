import type { Visibility } from "../access/space.ts";
import type { Layer } from "./layer.ts";
import type { Metadata } from "./metadata.ts";

/** Version of a memory before a change, with the change. */
export interface PastVersion {
  readonly version: number;
  readonly content: string;
  /** This and the next are undefined where a version came from elsewhere without them. */
  readonly layer: Layer | undefined;
  readonly importance: number | undefined;
  readonly tags: readonly string[];
  /** Undefined where a version was kept before it had any; in it, what was not set is absent. */
  readonly metadata: Partial<Metadata> | undefined;
  readonly visibility: Visibility | undefined;
  /** Condition on which it showed itself, as it is stored. */
  readonly trigger: string | undefined;
  /** Operation that ended this version: `revise`, `archive`, `supersede`, `restore`. */
  readonly op: string;
  readonly reason: string | undefined;
  /** Name of the member. */
  readonly by: string;
  readonly changedAt: Date;
}
