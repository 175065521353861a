import type { Memory } from "../memory/memory.ts";
import type { CaptureRule, FileTouch } from "../transcript/candidate.ts";
import type { NewMemory } from "./store.ts";

/** Progress of reading a session's transcript. */
export interface TranscriptProgress {
  /** Index of the first unread line. */
  readonly nextLine: number;
  /** SHA-256, hex, of the line before it; undefined if no line was read. */
  readonly lastLineHash: string | undefined;
  /** Serialised state of the extraction. */
  readonly carry: string | undefined;
}

/** Records of a session, for a work snapshot. */
export interface SessionTrace {
  /** Ordered by number of edits. */
  readonly files: readonly { readonly path: string; readonly edits: number }[];
  /** Its live memories, newest first. */
  readonly memories: readonly {
    readonly memory: Memory;
    readonly rule: string | undefined;
    readonly captureKey: string | undefined;
  }[];
  readonly carry: string | undefined;
}

export const HANDOFF_KINDS = ["compact", "clear", "exit"] as const;
/** Event at which a session saved its work: its context was compacted or cleared, or it ended. */
export type HandoffKind = (typeof HANDOFF_KINDS)[number];

/** Commit and branch of a repository. */
export interface GitMark {
  readonly commit: string | undefined;
  readonly branch: string | undefined;
}

export interface WorkSnapshot {
  readonly text: string;
  readonly createdAt: Date;
  readonly kind: HandoffKind;
  /** Keywords that recognise a prompt which continues this work. */
  readonly keywords: readonly string[];
  readonly git: GitMark;
}

export type NewWorkSnapshot = Pick<WorkSnapshot, "text"> & Partial<Pick<WorkSnapshot, "kind" | "keywords" | "git">>;

export interface LastWork extends WorkSnapshot {
  readonly session: string;
  /** Session that continued the work; undefined while it is unclaimed. */
  readonly takenBy: string | undefined;
}

/** A member's sessions by id; the same id of another member is another session. */
export interface SessionReads {
  /** Undefined if nothing was read yet. Progress in a project that is now closed to the member is not used. */
  progress(id: string): Promise<TranscriptProgress | undefined>;
  trace(id: string): Promise<SessionTrace>;
  /** Ids of all memories of the session, in any state. */
  ownIds(id: string): Promise<ReadonlySet<number>>;
  /** Id of the caller's session; undefined for a client that sends none and has not written recently. */
  current(): Promise<string | undefined>;
  /** Key of the session's project; undefined if it named none. */
  project(id: string): Promise<string | undefined>;
  /** Undefined if none was stored in the last 14 days. */
  workSnapshot(id: string): Promise<WorkSnapshot | undefined>;
  /** Newest snapshot of this member in its current project; undefined as above. */
  lastWork(): Promise<LastWork | undefined>;
  /** Snapshots of this member's sessions of the last 14 days, in any project, newest first. */
  handoffs(limit: number): Promise<readonly LastWork[]>;
  /** Last activity of this member in its current project, in other sessions. */
  lastSeenAt(besides: string): Promise<Date | undefined>;
}

export interface NewFileTouch extends Omit<FileTouch, "candidate"> {
  readonly session: string;
  /** Key of the captured request that led to it. */
  readonly captureKey: string | undefined;
  readonly projectKey: string | undefined;
}

/** A memory that was captured automatically instead of stored by an agent. */
export interface CapturedMemory extends NewMemory {
  /** Stable key: capturing the same text again updates the same memory. */
  readonly captureKey: string;
  readonly session: string;
  readonly rule: CaptureRule;
  readonly at: Date;
}

/**
 * Outcome of a capture. `kept`: a member edited or archived the memory, so it is unchanged. `same_words`: the same text
 * is stored already. `purged`: it was purged, and is never captured again. `forgotten`: the member archived a memory
 * that says nearly the same.
 */
export type CaptureOutcome = "inserted" | "updated" | "unchanged" | "kept" | "same_words" | "purged" | "forgotten";

/** Reason recorded for a captured memory whose transcript line no longer exists. */
export const SOURCE_GONE = "source_gone";

export interface SessionWrites extends Pick<SessionReads, "progress"> {
  /**
   * Adds a captured memory, or updates the earlier one.
   * @returns its id, if it has one
   */
  capture(memory: CapturedMemory): Promise<{ readonly outcome: CaptureOutcome; readonly id: number | undefined }>;
  /** Archives a memory whose source is gone, with `SOURCE_GONE`. Capturing it again restores it. */
  retire(memory: Memory): Promise<void>;
  /** @returns whether it was new */
  touch(touch: NewFileTouch): Promise<boolean>;
  /**
   * Sets the project of the caller's session. No effect if the client sent no session id, or if the transcript already
   * gives the project.
   */
  workIn(projectKey: string): Promise<void>;
  keepProgress(id: string, progress: TranscriptProgress, projectKey: string | undefined): Promise<void>;
  /** Stores a snapshot in place of an earlier one of any kind, for another session to continue. */
  keepWorkSnapshot(id: string, snapshot: NewWorkSnapshot): Promise<void>;
  /**
   * Claims a session's snapshot for another session.
   * @returns false if there is none or it is already claimed
   */
  takeWork(id: string, by: string): Promise<boolean>;
  /** Marks the session as ended. */
  close(id: string): Promise<void>;
}
