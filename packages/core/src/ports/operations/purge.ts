import type { Caller } from "../../access/caller.ts";

/** Target of a purge. */
export type EraseTarget =
  | { readonly ids: readonly number[] }
  /** All that a member wrote, by name; or what it alone may read. */
  | { readonly member: string; readonly isPrivateOnly?: boolean }
  /** All that was written in sessions of this id, of whichever member. */
  | { readonly session: string };

export interface Erased {
  /** Ids that were there, and are nowhere now. */
  readonly purged: readonly number[];
  /** Live memories derived from them: summaries, successors. */
  readonly derived: readonly number[];
  /** Files that still hold them, or cannot be looked into. */
  readonly backups: readonly string[];
  /**
   * Whether the database's log holds nothing of them any more. False while another process keeps it, and always of a
   * server: its log, replicas and backups keep rows until their own time is over.
   */
  readonly isLogClean: boolean;
  /** Keepers of copies that no purge reaches, by name; undefined where there are none. */
  readonly keptBy?: readonly string[] | undefined;
}

/** A text that is stored somewhere, and where. */
export interface StoredText {
  /** Undefined for what belongs to no memory. */
  readonly memoryId: number | undefined;
  /** `content`, `version`, `entity`, `snapshot`, `snippet` … */
  readonly field: string;
  readonly text: string;
}

/** Takes stored texts away for good: rows, versions, index, vectors and the log of the database. In every space. */
export interface Eraser {
  /** Ids that a target means, in any state and space. Throws `NOT_FOUND` for a member nobody knows. */
  find(target: EraseTarget): Promise<readonly number[]>;
  /** Recorded in the audit log before it happens. */
  purge(by: Caller, ids: readonly number[]): Promise<Erased>;
  /** Shows every stored text, a few at a time. */
  visit(look: (text: StoredText) => void): Promise<void>;
  /** Rewrites every stored text of these memories with a function, vectors dropped; clears what belongs to none. */
  rewrite(by: Caller, ids: readonly number[], clean: (text: string) => string): Promise<Omit<Erased, "purged">>;
}
