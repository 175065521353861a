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

/** Options of carrying out a plan. */
export interface Doing {
  /** Stops between two slices. */
  readonly signal: AbortSignal;
  /** The run that it is noted under; undefined for a caller's own sweep. */
  readonly runId?: number | undefined;
}

/** Outcome of a plan. Rows that changed since it was made are skipped. */
export interface Done {
  readonly changed: number;
  /** Put out of sight. */
  readonly archived: readonly number[];
  /** Summaries. */
  readonly created: readonly number[];
}

/** Plan of a pass, made beside the writer; nothing is changed before `apply`. */
export interface Plan {
  /** Rows that were looked at. */
  readonly scanned: number;
  /** Rows that would get a value, go out of sight, or be removed. */
  readonly due: number;
  /** Memories that would be archived. */
  readonly archives: readonly number[];
  /** Further remark on the plan. */
  readonly note?: string | undefined;
  /** There was more than one plan takes: plan again after it is applied. */
  readonly hasMore: boolean;
  /** Checks each row again, in slices that let other work through. */
  apply(doing: Doing): Promise<Done>;
}

export interface ForgettingPlan extends Plan {
  /** All whose risk is too high, before the cap. */
  readonly toDrop: number;
  /** Memories whose risk makes them candidates of a consolidation. */
  readonly toCompress: number;
}

export interface ConsolidationPlan extends Plan {
  readonly clusters: readonly { readonly entity: string; readonly layer: Layer; readonly count: number }[];
}

interface Leaving {
  /** Rows that another pass of the same preview would have taken. */
  readonly without?: readonly number[] | undefined;
}

export interface ConsolidationOptions extends Leaving {
  /** Least days since a memory was made and last used. */
  readonly minAgeDays: number;
  /** Longest content of one summary, in UTF-16 units. */
  readonly maxChars: number;
  /** Most memories that one plan replaces. */
  readonly cap: number;
  /** Only what was captured by itself. */
  readonly onlyCaptured: boolean;
  /** Only entities that the caller wrote of in its session of this id; one that wrote nothing counts as all. */
  readonly session?: string | undefined;
  /** Rows without a vector wait for it: the store has an embedder. */
  readonly areVectorsComing: boolean;
}

/** Turns of conversations that stay: none older than this but the best so many of each space. */
export interface TurnsKept {
  readonly maxAgeDays: number;
  readonly keep: number;
}

/** Conditions that a memory must meet to be pruned, all of them. */
export interface PruneLimits {
  readonly unusedDays: number;
  /** Its confidence is less. */
  readonly below: number;
  readonly importanceBelow: number;
}

/** Every pass as a plan. What is protected is in none of them. */
export interface Sweeps {
  activation(options: Leaving): Promise<Plan>;
  momentum(options: Leaving): Promise<Plan>;
  /** Lets the confidence in unused and unverified memories fade; `restore` of the run puts it back. */
  confidence(options: Leaving): Promise<Plan>;
  /** Makes memories of rows of the journal that members took up before this version, and takes the vectors of the others away. */
  journal(options: Leaving): Promise<Plan>;
  /** Joins rows of the journal of little importance that were never opened, one digest a week, which is one of it. */
  digest(options: Leaving & DigestLimits): Promise<Plan>;
  /**
   * Archives what has expired, and the journal of sessions at its age.
   * @param options.cap most memories that one plan archives, the longest over first
   * @param options.journalDays 90 where it is left out
   */
  expiry(options: Leaving & { readonly cap: number; readonly journalDays?: number }): Promise<Plan>;
  supersession(options: Leaving & { readonly minCosine: number }): Promise<Plan>;
  consolidation(options: ConsolidationOptions): Promise<ConsolidationPlan>;
  /** @param options.cap most memories that one plan archives, the highest risk first. */
  forgetting(options: Leaving & { readonly cap: number }): Promise<ForgettingPlan>;
  /** @param options.cap most memories that one plan archives, the least sure first. */
  prune(options: Leaving & PruneLimits & { readonly cap: number }): Promise<Plan>;
  conversations(options: Leaving & TurnsKept): Promise<Plan>;
  retention(options: Leaving): Promise<Plan>;
}

/** The sweeps that a caller may ask for, over what it may open here. */
export type CallerSweeps = Pick<Sweeps, "consolidation" | "forgetting">;

export type Trigger = "start" | "timer" | "writes" | "vectors" | "operator";

export interface PassReport {
  readonly name: PassName;
  readonly scanned: number;
  readonly changed: number;
  readonly seconds: number;
  readonly note?: string | undefined;
  /** It did nothing: before this run neither a write nor a run was seen since then, so that the clock may be wrong. */
  readonly waitsSince?: string | undefined;
}

export interface RunReport {
  readonly id: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  /** Undefined while it runs, or when its process died. */
  readonly finishedAt: Date | undefined;
  readonly outcome: "done" | "stopped" | "failed" | undefined;
  readonly passes: readonly PassReport[];
}

export interface Journal {
  begin(trigger: Trigger): Promise<number>;
  end(id: number, outcome: "done" | "stopped" | "failed", passes: readonly PassReport[]): Promise<void>;
  /** Newest first. */
  runs(limit: number): Promise<readonly RunReport[]>;
  /** When all passes were last begun together; comparing what was just embedded does not count. */
  lastAt(): Promise<Date | undefined>;
  /**
   * The last write or run of any kind that is at least so old. What was done since tells nothing of a clock that has
   * just jumped. Undefined where there is none.
   */
  lastSign(leastAgeMs: number): Promise<{ readonly at: Date; readonly ageMs: number } | undefined>;
}

/** The right to run maintenance on a store. It is freed when its holder dies. */
export interface Lease {
  /** Aborts when the right is lost while it is held: work stops between two slices. */
  readonly lost: AbortSignal;
  /** Gives the right back. Twice is once. */
  release(): Promise<void>;
}

/** Which memories are to be brought back. */
export type Restorable =
  | { readonly ids: readonly number[] }
  | { readonly runId: number; readonly pass?: PassName | undefined }
  | { readonly reason: ArchiveReason; readonly since: Date | undefined }
  /** All that a summary stands for. */
  | { readonly summaryId: number };

export interface Restored {
  readonly restored: readonly number[];
  /** Summaries that were archived, since all that they stood for is back. */
  readonly undone: readonly number[];
  /** Memories that have the confidence again which the run took from them. */
  readonly reset: readonly number[];
  readonly skipped: readonly { readonly id: number; readonly reason: "not_found" | "not_archived" }[];
}

/** Upkeep of a whole store, over all members' memories. */
export interface Lifecycle {
  readonly sweeps: Sweeps;
  readonly journal: Journal;
  /** Undefined while it is held, in this process or another one. */
  lease(): Promise<Lease | undefined>;
  /**
   * Brings memories back into sight, counted as used now, so that no pass takes them again at once; with a consolidation
   * its summary goes. @throws NOT_FOUND for a run or a consolidation that is not there.
   */
  restore(which: Restorable): Promise<Restored>;
}
