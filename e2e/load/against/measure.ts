import type { Comparison } from "./report.ts";
import type { Side } from "./side.ts";

export interface Pair {
  readonly theirs: Side;
  readonly ours: Side;
  readonly rounds: number;
  /** How many memories the stores hold that are searched. */
  readonly sizes: readonly number[];
  /** Gone after the run. */
  readonly workDir: string;
}

/** Measures one thing of both in turns. */
export type Measure = (pair: Pair) => Promise<Comparison[]>;
