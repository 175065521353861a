import type { Figure } from "./figures.ts";
import type { BenchServer } from "./server.ts";

/** Tools of a bench. */
export interface BenchTools {
  /** How often each thing that is compared gets its turn. */
  readonly rounds: number;
  /** How many memories a store to be searched holds. */
  readonly rows: number;
  /** Puts the figures into the repository. */
  readonly isWritten: boolean;
  /** Gone after the bench. */
  readonly workDir: string;
  startServer(env?: NodeJS.ProcessEnv): Promise<BenchServer>;
}

/** Measures one thing and what it cannot be below. */
export type Bench = (tools: BenchTools) => Promise<Figure[]>;
