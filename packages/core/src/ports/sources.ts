import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";
import type { NewSource, SourceStatus } from "../memory/source.ts";

/** Source file of a memory, as recorded, with the result of its last check. */
export interface MemorySource extends NewSource {
  readonly status: SourceStatus;
  /** Undefined: never checked. */
  readonly checkedAt: Date | undefined;
  /** Name of the member who checked it. */
  readonly checkedBy: string | undefined;
  /** Different hash that the last check found; undefined if it found none. */
  readonly foundHash: string | undefined;
}

export interface SourceOfMemory extends MemorySource {
  readonly memoryId: number;
  /** Whether the memory was written in the caller's project, so that the path belongs to the caller's files. */
  readonly isHere: boolean;
}

export interface SourceQuery {
  readonly reach: Reach;
  /** Sources of these memories, in any state; without ids, of live memories. */
  readonly ids?: readonly number[] | undefined;
  /** This file, or all files below this folder; `""` is everything. */
  readonly path?: string | undefined;
  /** Only sources of the caller's project. */
  readonly isHere?: true | undefined;
  readonly limit: number;
}

export interface SourceReads {
  /** The longest unchecked first; `total` counts all matches that the caller may see. */
  find(query: SourceQuery): Promise<{ readonly total: number; readonly sources: readonly SourceOfMemory[] }>;
}

/** Result of a check: the hash matches, differs, the file is missing, or it could not be read. */
export interface SourceCheck {
  readonly path: string;
  readonly status: SourceStatus;
  /** New hash to record; undefined keeps the recorded one. */
  readonly anchor?: Pick<NewSource, "hash" | "gitCommit"> | undefined;
  /** The different hash that was found. */
  readonly foundHash?: string | undefined;
}

export interface SourceWrites {
  /** Sources of a memory in any state. */
  of(memory: Memory): Promise<readonly MemorySource[]>;
  /** Replaces sources of the same path. With `replaces: "all"` it replaces the other sources too. */
  put(memory: Memory, sources: readonly NewSource[], replaces?: "all"): Promise<void>;
  /**
   * Records a check of a memory's sources. If all are `ok`, the memory counts as verified and its confidence rises
   * slightly, once a day up to a limit. Makes no version.
   */
  check(memory: Memory, checks: readonly SourceCheck[]): Promise<void>;
}
