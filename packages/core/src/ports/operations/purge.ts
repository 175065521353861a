import type { Caller } from "../../access/caller.ts";

/** Target of a purge. */
export type PurgeTarget =
  | { readonly ids: readonly number[] }
  /** All that a member wrote, by name; or what it alone may read. */
  | { readonly member: string; readonly isPrivateOnly?: boolean }
  /** All that was written in sessions of this id, of any member. */
  | { readonly session: string };

export interface PurgeReceipt {
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
export interface Purger {
  /** Ids that a target means, in any state and space. Throws `NOT_FOUND` for an unknown member. */
  find(target: PurgeTarget): Promise<readonly number[]>;
  /** Recorded in the audit log before it happens. */
  purge(by: Caller, ids: readonly number[]): Promise<PurgeReceipt>;
  /** Shows every stored text, a few at a time. */
  visit(look: (text: StoredText) => void): Promise<void>;
  /** Rewrites every stored text of these memories with a function, vectors dropped; clears what belongs to none. */
  rewrite(by: Caller, ids: readonly number[], clean: (text: string) => string): Promise<Omit<PurgeReceipt, "purged">>;
}
