import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";

/** A condition on which a memory shows itself, as it is stored. */
export interface StoredTrigger {
  readonly memoryId: number;
  readonly importance: number;
  /** A condition as JSON text; `readCondition` reads it. */
  readonly condition: string;
}

export interface TriggerReads {
  /** Triggers of live memories in reach, the most important first. */
  all(reach: Reach): Promise<readonly StoredTrigger[]>;
  /** Condition of one memory in any state; undefined for one without, and for one that the caller may not open. */
  of(memoryId: number): Promise<string | undefined>;
  /** Key and aliases of the project that this key leads to; empty for one that is closed to the caller, or unknown. */
  keysOf(projectKey: string): Promise<readonly string[]>;
}

export interface TriggerWrites {
  /** Gives a memory a condition, or takes it away. */
  set(memory: Memory, condition: string | undefined): Promise<void>;
}
