import type { Backend, BackendOptions } from "../support/backend.ts";

/** Duration of a part: `long` by name, `short` as in CI, `unguarded` until it notices that a guard is missing. */
export type Effort = "long" | "short" | "unguarded";

/** An invariant, and the events that must not break it. */
export interface Part {
  readonly name: string;
  /** Description of the attack on Chest. */
  readonly does: string;
  readonly holds: readonly Invariant[];
  /** Number of attempts by effort; `counted` is the unit. */
  readonly rounds: Readonly<Record<Effort, number>>;
  readonly counted: string;
  /** Names a missing requirement of this machine; undefined when none is missing. */
  lacks?(): string | undefined;
  run(rig: Rig): Promise<Outcome>;
}

/** Invariant, and the guards without which it would fail. */
export interface Invariant {
  /** The invariant as a clause. */
  readonly says: string;
  /** At least one guard, since an invariant without a removed guard proves nothing. */
  readonly guards: readonly [Guard, ...Guard[]];
}

/** Guard of an invariant, and the edits that remove it from the running program. */
export interface Guard {
  /** Name of the guard that is removed. */
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Fault that the part must then find. */
  readonly shows: RegExp;
}

/** Change of a source file while it is loaded. The text must occur exactly once. */
export interface Edit {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** Tools of a part. */
export interface Rig {
  readonly rounds: number;
  readonly effort: Effort;
  /** Random numbers from 0 to below 1, equal for equal seeds. */
  readonly random: () => number;
  /** Environment that runs any Chest program without the guard; empty when no guard is removed. */
  readonly env: NodeJS.ProcessEnv;
  /** Makes a new folder that is deleted after the part. */
  folder(): string;
  /** Starts the real backend without rate limits; it is stopped after the part at the latest. */
  start(options?: BackendOptions): Promise<Backend>;
  /** Returns true as soon as further attempts are useless. */
  isShown(faults: readonly string[]): boolean;
}

/** Lists the guards that can be removed from a part. */
export const guardsOf = ({ holds }: Part): Guard[] => holds.flatMap(({ guards }) => guards);

/** Outcome of a part. */
export interface Outcome {
  readonly figures: Readonly<Record<string, number | string>>;
  /** Broken invariants, in words without stored content; empty when all held. */
  readonly faults: readonly string[];
}
