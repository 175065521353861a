/** A backup in its folder. */
export interface ListedBackup {
  readonly path: string;
  readonly file: string;
  readonly madeAt: Date;
  readonly reason: string;
  readonly bytes: number;
  /** From the manifest; undefined without one. */
  readonly sha256: string | undefined;
  readonly schema: string | undefined;
  readonly memories: number | undefined;
}

/** A new backup, with the contents of its manifest. */
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

/** Keeps the newest backup of each of this many days and weeks. */
export interface KeepRule {
  readonly daily: number;
  readonly weekly: number;
}

/** Backups that an engine makes itself. PostgreSQL is backed up by its own tools and offers none. */
export interface Backups {
  /** Throws if the copy failed or is damaged. */
  make(reason: string, signal?: AbortSignal): Promise<Backup>;
  /** Newest first. */
  list(): Promise<readonly ListedBackup[]>;
  /**
   * Removes backups that the rule does not keep.
   * @returns the removed ones
   */
  rotate(rule: KeepRule): Promise<readonly ListedBackup[]>;
}
