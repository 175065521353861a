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
  /** Waits, within the limit, for work that follows calls, and stops background work. */
  finish(limitMs: number): Promise<void>;
  /** Stops waiting for running calls; their writes go to the outbox, so that none is lost. */
  interrupt(): void;
  close(): Promise<void>;
}
