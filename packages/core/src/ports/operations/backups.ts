/** Backup as it lies in its folder. */
export interface ListedBackup {
  readonly path: string;
  readonly file: string;
  readonly madeAt: Date;
  readonly reason: string;
  readonly bytes: number;
  /** As its manifest says; undefined without one. */
  readonly sha256: string | undefined;
  readonly schema: string | undefined;
  readonly memories: number | undefined;
}

/** Backup as it was just made, with what its manifest says. */
export interface Backup {
  readonly path: string;
  readonly file: string;
  /** ISO 8601. */
  readonly made_at: string;
  readonly reason: string;
  readonly schema: string;
  readonly store_uid: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Newest backups of so many days and so many weeks are kept. */
export interface KeepRule {
  readonly daily: number;
  readonly weekly: number;
}

/** Backups that an engine makes of itself. A database server has means of its own: its engine offers none. */
export interface Backups {
  /** Throws when the copy could not be made, or is not whole. */
  make(reason: string, signal?: AbortSignal): Promise<Backup>;
  /** Newest first. */
  list(): Promise<readonly ListedBackup[]>;
  /** Removes what the rule does not keep. @returns what was removed. */
  rotate(rule: KeepRule): Promise<readonly ListedBackup[]>;
}
