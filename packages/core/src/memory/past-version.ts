import type { Layer } from "./layer.ts";

/** What a memory was before a change of meaning, and what changed it. */
export interface PastVersion {
  readonly version: number;
  readonly content: string;
  /** This and the next are undefined where a version came from elsewhere without them. */
  readonly layer: Layer | undefined;
  readonly importance: number | undefined;
  readonly tags: readonly string[];
  /** What was done to it then: `revise`, `archive`, `supersede`, `restore`. */
  readonly op: string;
  readonly reason: string | undefined;
  /** Name of the member. */
  readonly by: string;
  readonly changedAt: Date;
}
