import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";
import type { NewSource, SourceStatus } from "../memory/source.ts";

/** File that a memory comes from, as it was when it was last noted, and what the last check of it found. */
export interface MemorySource extends NewSource {
  readonly status: SourceStatus;
  /** Undefined: never compared yet. */
  readonly checkedAt: Date | undefined;
  /** Name of the member who compared it. */
  readonly checkedBy: string | undefined;
  /** Hash that its last check found in place of the noted one; undefined where it found none. */
  readonly foundHash: string | undefined;
}

export interface SourceOfMemory extends MemorySource {
  readonly memoryId: number;
  /** Was the memory written in the caller's project, so that its paths are of the caller's tree. */
  readonly isHere: boolean;
}

export interface SourceQuery {
  readonly reach: Reach;
  /** Sources of these memories, in any state; left out, of live ones. */
  readonly ids?: readonly number[] | undefined;
  /** This file, or all below this folder; `""` is everything. */
  readonly path?: string | undefined;
  /** Only sources of the caller's project. */
  readonly isHere?: true | undefined;
  readonly limit: number;
}

export interface SourceReads {
  /** The longest unchecked first; `total` counts all that the query means and the caller may see. */
  find(query: SourceQuery): Promise<{ readonly total: number; readonly sources: readonly SourceOfMemory[] }>;
}

/** Outcome of a comparison: the file has the noted hash, another one, is gone, or could not be compared. */
export interface SourceCheck {
  readonly path: string;
  readonly status: SourceStatus;
  /** The hash to be noted from now on; undefined keeps the one that is noted. */
  readonly anchor?: Pick<NewSource, "hash" | "gitCommit"> | undefined;
  /** Another hash than the noted one, as it was found. */
  readonly foundHash?: string | undefined;
}

export interface SourceWrites {
  /** Sources of a memory, in any state. */
  of(memory: Memory): Promise<readonly MemorySource[]>;
  /** In place of those of the same path; the others of the memory stay, or go where `replaces` says so. */
  put(memory: Memory, sources: readonly NewSource[], replaces?: "all"): Promise<void>;
  /**
   * Notes that sources of a memory were compared now. Where all of these are `ok` the memory counts as verified, and
   * is a little surer of itself: once a day, up to a limit. It makes no version.
   */
  check(memory: Memory, checks: readonly SourceCheck[]): Promise<void>;
}
