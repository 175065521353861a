import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";

/** A condition on which hooks show a memory, as stored. */
export interface StoredTrigger {
  readonly memoryId: number;
  readonly importance: number;
  /** A condition as JSON text; `readCondition` reads it. */
  readonly condition: string;
}

export interface TriggerReads {
  /** Triggers of live memories in reach, most important first. */
  all(reach: Reach): Promise<readonly StoredTrigger[]>;
  /** Condition of a memory in any state; undefined if it has none or the caller may not open it. */
  of(memoryId: number): Promise<string | undefined>;
  /** Key and aliases of the project with this key; empty if it is unknown or closed to the caller. */
  keysOf(projectKey: string): Promise<readonly string[]>;
}

export interface TriggerWrites {
  /** Sets or clears a memory's condition. */
  set(memory: Memory, condition: string | undefined): Promise<void>;
}
