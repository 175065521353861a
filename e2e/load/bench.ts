import type { Figure } from "./figures.ts";
import type { BenchServer } from "./server.ts";

/** Settings and tools of a benchmark. */
export interface BenchTools {
  /** Number of turns of each contestant. */
  readonly rounds: number;
  /** Number of memories in a store that is searched. */
  readonly rows: number;
  /** True to write the figures into the repository. */
  readonly isWritten: boolean;
  /** Deleted after the benchmark. */
  readonly workDir: string;
  startServer(env?: NodeJS.ProcessEnv): Promise<BenchServer>;
}

/** Measures a value and the lower bound for it. */
export type Bench = (tools: BenchTools) => Promise<Figure[]>;
