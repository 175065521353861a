import type { Backend, BackendOptions } from "../support/backend.ts";

/** How hard a part tries: by name, as CI does, or only until it notices that a guard is gone. */
export type Effort = "long" | "short" | "unguarded";

/** Something that must hold whatever happens, and what happens. */
export interface Part {
  readonly name: string;
  /** What is done to Chest. */
  readonly does: string;
  readonly holds: readonly Invariant[];
  /** How often it is tried; `counted` names what is counted. */
  readonly rounds: Readonly<Record<Effort, number>>;
  readonly counted: string;
  /** What this machine lacks for it; undefined when it has everything. */
  lacks?(): string | undefined;
  run(rig: Rig): Promise<Outcome>;
}

/** What holds whatever happens, and what it would be without. */
export interface Invariant {
  /** A clause. */
  readonly says: string;
  /** At least one: what nothing can break, nobody has tried. */
  readonly guards: readonly [Guard, ...Guard[]];
}

/** What protects an invariant, and how it is taken away from the running program. */
export interface Guard {
  /** What is gone. */
  readonly name: string;
  readonly edits: readonly Edit[];
  /** What the part must then find. */
  readonly shows: RegExp;
}

/** A change of a source file as it is loaded. The text must stand there exactly once. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** What a part works with. */
export interface Rig {
  readonly rounds: number;
  readonly effort: Effort;
  /** From 0 to below 1, the same ones for the same seed. */
  readonly random: () => number;
  /** Settings under which any program of Chest runs without the guard; empty while nothing is taken away. */
  readonly env: NodeJS.ProcessEnv;
  /** A new folder, gone after the part. */
  folder(): string;
  /** The real backend, without rate limits; ended after the part, if it still runs. */
  start(options?: BackendOptions): Promise<Backend>;
  /** True as soon as trying further tells nothing new. */
  isShown(faults: readonly string[]): boolean;
}

/** What can be taken away from under a part. */
export const guardsOf = ({ holds }: Part): Guard[] => holds.flatMap(({ guards }) => guards);

/** What came out. */
export interface Outcome {
  readonly figures: Readonly<Record<string, number | string>>;
  /** What did not hold, in words without anything stored; empty when all of it did. */
  readonly faults: readonly string[];
}
