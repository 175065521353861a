import type { Backend, BackendOptions } from "../support/backend.ts";

/** How hard a part tries: by name, as CI does, or only until it notices that a guard is gone. */
export type Effort = "long" | "short" | "unguarded";

/** An invariant, and the events that must not break it. */
export interface Part {
  readonly name: string;
  /** Description of the attack on Chest. */
  readonly does: string;
  readonly holds: readonly Invariant[];
  /** How often it is tried; `counted` names what is counted. */
  readonly rounds: Readonly<Record<Effort, number>>;
  readonly counted: string;
  /** Names a missing requirement of this machine; undefined when none is missing. */
  lacks?(): string | undefined;
  run(rig: Rig): Promise<Outcome>;
}

/** Invariant, and the guards without which it would fail. */
export interface Invariant {
  /** A clause. */
  readonly says: string;
  /** At least one: a guard that was never tried proves nothing. */
  readonly guards: readonly [Guard, ...Guard[]];
}

/** Guard of an invariant, and how to remove it from the running program. */
export interface Guard {
  /** Name of the guard that is removed. */
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Fault that the part must then find. */
  readonly shows: RegExp;
}

/** A change of a source file as it is loaded. The text must stand there exactly once. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** Tools of a part. */
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

/** Guards that can be removed from a part. */
export const guardsOf = ({ holds }: Part): Guard[] => holds.flatMap(({ guards }) => guards);

/** Outcome of a part. */
export interface Outcome {
  readonly figures: Readonly<Record<string, number | string>>;
  /** Broken invariants, in words without stored content; empty when all held. */
  readonly faults: readonly string[];
}
