import type { Reach } from "../../access/space.ts";
import type { Memory } from "../../memory/memory.ts";

export interface FileHistoryQuery {
  readonly reach: Reach;
  /** From `partKeyOf`; not empty. */
  readonly part: string;
  /** The part is the whole path of one file, and nothing else is wanted. */
  readonly isPath?: boolean | undefined;
  /** Keys of folders: only what lies below one of them. */
  readonly roots?: readonly string[] | undefined;
  /** How much of each list is wanted. */
  readonly most: Readonly<Record<"paths" | "days" | "intents" | "memories", number>>;
}

/** History of the files whose path contains a part. All numbers and lists are of edits and writes, not of reads. */
export interface FileHistory {
  /** By whole names, or anywhere in the path when no whole name fits. */
  readonly match: "segments" | "substring";
  /** Files whose path has the part, and those of them below the roots. */
  readonly matched: number;
  readonly files: number;
  readonly edits: number;
  readonly sessions: number;
  /** Undefined without an edit. */
  readonly firstAt: Date | undefined;
  readonly lastAt: Date | undefined;
  /** Ordered by edits, then by path. */
  readonly paths: readonly { readonly path: string; readonly edits: number }[];
  /** The newest, in ascending order; days of UTC as `2026-11-22`. */
  readonly days: readonly { readonly day: string; readonly operation: "edit" | "write"; readonly edits: number }[];
  /** Requests behind the edits, newest first, each once. */
  readonly intents: readonly { readonly text: string; readonly lastAt: Date; readonly edits: number }[];
  /** Live ones that came of these edits or are about a file of that name: lessons, then the important, then the newest. */
  readonly memories: readonly Memory[];
}

export interface FileReads {
  history(query: FileHistoryQuery): Promise<FileHistory>;
}
