import type { Reach } from "../../access/space.ts";
import type { Memory } from "../../memory/memory.ts";

export interface FileHistoryQuery {
  readonly reach: Reach;
  /** From `partKeyOf`; not empty. */
  readonly part: string;
  /** The part is the complete path of one file. */
  readonly isPath?: boolean | undefined;
  /** Keys of folders: only files below one of them are listed. */
  readonly roots?: readonly string[] | undefined;
  /** Most entries of each list. */
  readonly most: Readonly<Record<"paths" | "days" | "intents" | "memories", number>>;
}

/** History of the files whose path contains a part. Counts edits and writes, not reads. */
export interface FileHistory {
  /** Whole folder and file names matched, or, if none did, any part of the path. */
  readonly match: "segments" | "substring";
  /** Number of files with the part in their path, and how many of them lie below the roots. */
  readonly matched: number;
  readonly files: number;
  readonly edits: number;
  readonly sessions: number;
  /** Undefined if there is no edit. */
  readonly firstAt: Date | undefined;
  readonly lastAt: Date | undefined;
  /** Ordered by edits, then by path. */
  readonly paths: readonly { readonly path: string; readonly edits: number }[];
  /** The newest days, ascending; UTC, such as `2026-11-22`. */
  readonly days: readonly { readonly day: string; readonly operation: "edit" | "write"; readonly edits: number }[];
  /** Requests behind the edits, newest first, each once. */
  readonly intents: readonly { readonly text: string; readonly lastAt: Date; readonly edits: number }[];
  /**
   * Live memories that came from these edits or are about a file of that name: lessons, then important ones, then the
   * newest.
   */
  readonly memories: readonly Memory[];
}

export interface FileReads {
  history(query: FileHistoryQuery): Promise<FileHistory>;
}
