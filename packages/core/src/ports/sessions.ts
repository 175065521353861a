import type { Memory } from "../memory/memory.ts";
import type { CaptureRule, FileTouch } from "../transcript/candidate.ts";
import type { NewMemory } from "./store.ts";

/** How far a session's transcript was taken. */
export interface TranscriptProgress {
  /** Index of the first line that was not taken. */
  readonly nextLine: number;
  /** SHA-256, hex, of the line before it; undefined when none was taken. */
  readonly lastLineHash: string | undefined;
  /** Serialised state of the extraction. */
  readonly carry: string | undefined;
}

/** Traces that a session left, for a work snapshot. */
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
/** How a session came to leave its work: its context was compacted or cleared, or it ended. */
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
  /** Words by which a prompt that goes on with it is known. */
  readonly keywords: readonly string[];
  readonly git: GitMark;
}

export type NewWorkSnapshot = Pick<WorkSnapshot, "text"> & Partial<Pick<WorkSnapshot, "kind" | "keywords" | "git">>;

export interface LastWork extends WorkSnapshot {
  readonly session: string;
  /** The session that it was handed to; undefined while it waits for one. */
  readonly takenBy: string | undefined;
}

/** A member's sessions by id, compared whole: the same id of another member is another session. */
export interface SessionReads {
  /**
   * Undefined when nothing was taken of it. Nothing goes on from what was said in a project that is closed to the member
   * by now.
   */
  progress(id: string): Promise<TranscriptProgress | undefined>;
  trace(id: string): Promise<SessionTrace>;
  /** Ids of all memories that came of it, in any state. */
  ownIds(id: string): Promise<ReadonlySet<number>>;
  /** Id of the session that the caller is in; undefined for a client that sends none and has not written of late. */
  current(): Promise<string | undefined>;
  /** Key of the project that it works in; undefined when it named none. */
  project(id: string): Promise<string | undefined>;
  /** Undefined when none was kept for it, or not within 14 days. */
  workSnapshot(id: string): Promise<WorkSnapshot | undefined>;
  /** The newest that this member left in the project it works in now; undefined as above. */
  lastWork(): Promise<LastWork | undefined>;
  /** Work that this member's sessions left within 14 days, in any project, newest first. */
  handoffs(limit: number): Promise<readonly LastWork[]>;
  /** When this member was last active in the project it works in now, in another session than this one. */
  lastSeenAt(besides: string): Promise<Date | undefined>;
}

export interface NewFileTouch extends Omit<FileTouch, "candidate"> {
  readonly session: string;
  /** Key of the capture that tells what it was for. */
  readonly captureKey: string | undefined;
  readonly projectKey: string | undefined;
}

/** A memory that was found instead of told. */
export interface CapturedMemory extends NewMemory {
  /** The same for the same find, whenever it is found again. */
  readonly captureKey: string;
  readonly session: string;
  readonly rule: CaptureRule;
  readonly at: Date;
}

/**
 * `kept`: there, and edited or archived by a member since, so it stays as it is. `same_words`: those words lie there
 * already. `purged`: taken away for good, and never to come back. `forgotten`: the member has archived a memory that says
 * it, or nearly it.
 */
export type CaptureOutcome = "inserted" | "updated" | "unchanged" | "kept" | "same_words" | "purged" | "forgotten";

/** Reason in the history of a row that was archived because its transcript line is gone. */
export const SOURCE_GONE = "source_gone";

export interface SessionWrites extends Pick<SessionReads, "progress"> {
  /** Adds a find, or brings one that was found before up to date. @returns its id, where it has one. */
  capture(memory: CapturedMemory): Promise<{ readonly outcome: CaptureOutcome; readonly id: number | undefined }>;
  /** Archives a live one whose source is gone, for `SOURCE_GONE`. Captured again it comes back. */
  retire(memory: Memory): Promise<void>;
  /** @returns whether it was new. */
  touch(touch: NewFileTouch): Promise<boolean>;
  /**
   * Makes the caller's session work in a project from now on. Nothing happens for a session whose id the client did not
   * send, and for one whose transcript tells where it works.
   */
  workIn(projectKey: string): Promise<void>;
  keepProgress(id: string, progress: TranscriptProgress, projectKey: string | undefined): Promise<void>;
  /** Keeps it in place of an earlier one of any kind, for another session to take. */
  keepWorkSnapshot(id: string, snapshot: NewWorkSnapshot): Promise<void>;
  /** Takes the work snapshot of a session for another one to go on from. @returns false when there is none, or it is taken. */
  takeWork(id: string, by: string): Promise<boolean>;
  /** It is over. */
  close(id: string): Promise<void>;
}
