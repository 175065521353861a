import type { Call, Executor } from "@chest/core/executor";
import type { Snapshots } from "@chest/core/ports";
import type { ResourceReader } from "@chest/core/resources";

/** Backend that runs the tools, wherever the store is. */
export interface ToolBackend {
  readonly executor: Executor;
  readonly resources: ResourceReader;
  /** Snapshots of the files that a session read. */
  snapshots(call: Call): Snapshots;
  /** Begins what runs by itself; waits for nothing. */
  start(): void;
  /** Lets what goes on after the calls end, within the time, and stops what runs by itself. */
  finish(limitMs: number): Promise<void>;
  /** Ends the waiting of what still runs, so that none of it is lost. */
  interrupt(): void;
  close(): Promise<void>;
}
