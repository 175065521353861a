import type { Comparison } from "./report.ts";
import type { Side } from "./side.ts";

export interface Pair {
  readonly theirs: Side;
  readonly ours: Side;
  readonly rounds: number;
  /** Numbers of memories in the stores that are searched. */
  readonly sizes: readonly number[];
  /** Deleted after the run. */
  readonly workDir: string;
}

/** Measures both sides in turns. */
export type Measure = (pair: Pair) => Promise<Comparison[]>;
