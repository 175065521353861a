import type { Caller } from "../../access/caller.ts";

/** Target of a purge. */
export type PurgeTarget =
  | { readonly ids: readonly number[] }
  /** Everything that a member wrote, by name; or only its private memories. */
  | { readonly member: string; readonly isPrivateOnly?: boolean }
  /** Everything written in sessions with this id, of any member. */
  | { readonly session: string };

export interface PurgeReceipt {
  /** Ids that were purged. */
  readonly purged: readonly number[];
  /** Live memories derived from purged ones: summaries, successors. */
  readonly derived: readonly number[];
  /** Backups that still contain them, or cannot be read. */
  readonly backups: readonly string[];
  /**
   * Whether the database's log is free of them. False while another process uses the log, and always for a server,
   * whose log, replicas and backups keep rows for their own retention time.
   */
  readonly isLogClean: boolean;
  /** Names of systems with copies that the purge does not reach; undefined if there are none. */
  readonly keptBy?: readonly string[] | undefined;
}

/** A stored text and its location. */
export interface StoredText {
  /** Undefined for a text that belongs to no memory. */
  readonly memoryId: number | undefined;
  /** `content`, `version`, `entity`, `snapshot`, `snippet` … */
  readonly field: string;
  readonly text: string;
}

/** Deletes stored texts permanently, in every space: rows, versions, index, vectors and the log of the database. */
export interface Purger {
  /** Ids that a target selects, in any state and space. Throws `NOT_FOUND` for an unknown member. */
  find(target: PurgeTarget): Promise<readonly number[]>;
  /**
   * Deletes permanently; recorded in the audit log first. Notes of sessions that quote a purged statement lose it.
   * @param target a member's or a session's transcripts lose all their words, too
   */
  purge(by: Caller, ids: readonly number[], target?: PurgeTarget): Promise<PurgeReceipt>;
  /** Calls back with every stored text, in batches. */
  visit(look: (text: StoredText) => void): Promise<void>;
  /**
   * Rewrites every stored text of these memories with a function and drops their vectors; clears texts that belong to
   * no memory.
   */
  rewrite(by: Caller, ids: readonly number[], clean: (text: string) => string): Promise<Omit<PurgeReceipt, "purged">>;
}
