import type { DigestLimits } from "../lifecycle/digest.ts";
import type { Layer } from "../memory/layer.ts";
import type { ArchiveReason } from "../memory/memory.ts";

/** Passes of maintenance, in the order in which they run. */
export const PASSES = [
  "activation",
  "momentum",
  "confidence",
  "journal",
  "digest",
  "expiry",
  "supersession",
  "consolidation",
  "forgetting",
  "prune",
  "conversations",
  "retention",
] as const;
export type PassName = (typeof PASSES)[number];

/** Options for applying a plan. */
export interface Doing {
  /** Stops the work between two slices. */
  readonly signal: AbortSignal;
  /** Maintenance run that the changes are recorded under; undefined for a caller's own sweep. */
  readonly runId?: number | undefined;
}

/** Outcome of a plan. Rows that changed since it was made are skipped. */
export interface PassOutcome {
  readonly changed: number;
  /** Ids of memories that the plan archived. */
  readonly archived: readonly number[];
  /** Ids of summaries that the plan created. */
  readonly created: readonly number[];
}

/** Plan of a pass. Nothing changes before `apply`. */
export interface Plan {
  /** Number of rows that were examined. */
  readonly scanned: number;
  /** Number of rows that would be changed, archived or removed. */
  readonly due: number;
  /** Memories that would be archived. */
  readonly archives: readonly number[];
  /** Further remark on the plan. */
  readonly note?: string | undefined;
  /** The plan reached its limit: plan again after applying it. */
  readonly hasMore: boolean;
  /** Checks each row again and changes it, in slices that let other work in between. */
  apply(doing: Doing): Promise<PassOutcome>;
}

export interface ForgettingPlan extends Plan {
  /** Number of memories whose risk is too high, before the cap. */
  readonly toDrop: number;
  /** Memories whose risk makes them candidates of a consolidation. */
  readonly toCompress: number;
}

export interface ConsolidationPlan extends Plan {
  readonly clusters: readonly { readonly entity: string; readonly layer: Layer; readonly count: number }[];
}

interface Leaving {
  /** Rows to leave out, because another pass of the same preview takes them. */
  readonly without?: readonly number[] | undefined;
}

export interface ConsolidationOptions extends Leaving {
  /** Least days since a memory was made and last used. */
  readonly minAgeDays: number;
  /** Longest content of one summary, in UTF-16 units. */
  readonly maxChars: number;
  /** Most memories that one plan replaces. */
  readonly cap: number;
  /** Only automatically captured memories. */
  readonly onlyCaptured: boolean;
  /** Only entities that the caller wrote about in this session; if it wrote nothing, all entities. */
  readonly session?: string | undefined;
  /** Leaves memories without a vector for later, because an embedder will give them one. */
  readonly areVectorsComing: boolean;
}

/** Limits on stored turns: only the best ones of each space are kept beyond this age. */
export interface TurnRetention {
  readonly maxAgeDays: number;
  readonly keep: number;
}

/** Conditions that a memory must meet to be pruned, all of them. */
export interface PruneLimits {
  readonly unusedDays: number;
  /** Only memories with a lower confidence. */
  readonly below: number;
  readonly importanceBelow: number;
}

/** Plans of all passes. Protected memories are in none of them. */
export interface Sweeps {
  activation(options: Leaving): Promise<Plan>;
  momentum(options: Leaving): Promise<Plan>;
  /** Lowers the confidence of memories that are neither used nor verified; `restore` of the run undoes it. */
  confidence(options: Leaving): Promise<Plan>;
  /**
   * Turns session notes that members used before this version into memories, and removes the vectors of the other
   * notes.
   */
  journal(options: Leaving): Promise<Plan>;
  /** Joins unimportant session notes that were never opened into one digest a week. */
  digest(options: Leaving & DigestLimits): Promise<Plan>;
  /**
   * Archives expired memories, and session notes after `journalDays`.
   * @param options.cap most memories that one plan archives, the longest expired first
   * @param options.journalDays 90 by default
   */
  expiry(options: Leaving & { readonly cap: number; readonly journalDays?: number }): Promise<Plan>;
  supersession(options: Leaving & { readonly minCosine: number }): Promise<Plan>;
  consolidation(options: ConsolidationOptions): Promise<ConsolidationPlan>;
  /** @param options.cap most memories that one plan archives, the highest risk first. */
  forgetting(options: Leaving & { readonly cap: number }): Promise<ForgettingPlan>;
  /** @param options.cap most memories that one plan archives, the least certain first. */
  prune(options: Leaving & PruneLimits & { readonly cap: number }): Promise<Plan>;
  conversations(options: Leaving & TurnRetention): Promise<Plan>;
  retention(options: Leaving): Promise<Plan>;
}

/** Sweeps that a caller may run, over the memories that it may open here. */
export type CallerSweeps = Pick<Sweeps, "consolidation" | "forgetting">;

export type Trigger = "start" | "timer" | "writes" | "vectors" | "operator";

export interface PassReport {
  readonly name: PassName;
  readonly scanned: number;
  readonly changed: number;
  readonly seconds: number;
  readonly note?: string | undefined;
  /** The run did nothing: there was no write or run since this time, so the clock may have jumped. */
  readonly waitsSince?: string | undefined;
}

export interface RunReport {
  readonly id: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  /** Undefined while the run is in progress, or if its process died. */
  readonly finishedAt: Date | undefined;
  readonly outcome: "done" | "stopped" | "failed" | undefined;
  readonly passes: readonly PassReport[];
}

export interface Journal {
  begin(trigger: Trigger): Promise<number>;
  end(id: number, outcome: "done" | "stopped" | "failed", passes: readonly PassReport[]): Promise<void>;
  /** Newest first. */
  runs(limit: number): Promise<readonly RunReport[]>;
  /** Start of the last run of all passes; comparing new vectors does not count. */
  lastAt(): Promise<Date | undefined>;
  /**
   * The last write or run that is at least this old. Newer ones say nothing about a clock that has just jumped.
   * Undefined if there is none.
   */
  lastSign(leastAgeMs: number): Promise<{ readonly at: Date; readonly ageMs: number } | undefined>;
}

/** Exclusive right to run maintenance on a store. It is released when its holder dies. */
export interface Lease {
  /** Aborts if the lease is lost: work stops between two slices. */
  readonly lost: AbortSignal;
  /** Releases the lease. May be called twice. */
  release(): Promise<void>;
}

/** Selects the memories to restore. */
export type Restorable =
  | { readonly ids: readonly number[] }
  | { readonly runId: number; readonly pass?: PassName | undefined }
  | { readonly reason: ArchiveReason; readonly since: Date | undefined }
  /** All members of a summary. */
  | { readonly summaryId: number };

export interface Restored {
  readonly restored: readonly number[];
  /** Summaries that were archived because all their members were restored. */
  readonly undone: readonly number[];
  /** Memories whose confidence was set back to its value before the run. */
  readonly reset: readonly number[];
  readonly skipped: readonly { readonly id: number; readonly reason: "not_found" | "not_archived" }[];
}

/** Maintenance of a whole store, over all members' memories. */
export interface Lifecycle {
  readonly sweeps: Sweeps;
  readonly journal: Journal;
  /** Undefined while this or another process holds it. */
  lease(): Promise<Lease | undefined>;
  /**
   * Restores memories and counts them as used now, so that no pass archives them again at once. Undoing a consolidation
   * archives its summary.
   * @throws NOT_FOUND for an unknown run or summary
   */
  restore(which: Restorable): Promise<Restored>;
}
