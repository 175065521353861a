/** A database that is a server of its own, as its operator looks at it. */
export interface DatabaseServer {
  /** Connections of this process at this moment, and its writes since it was opened. */
  load(): ServerLoad;
  facts(): Promise<ServerFacts>;
}

export interface ServerLoad {
  readonly connections: {
    readonly open: number;
    readonly idle: number;
    /** Statements that wait for one. */
    readonly waiting: number;
    readonly most: number;
  };
  readonly writer: { readonly waiting: number; readonly commits: number };
}

/** Settings and states by which a server is judged. Undefined is what this user may not see. */
export interface ServerFacts {
  readonly version: string;
  readonly vectorVersion: string;
  readonly sizeBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  readonly isDurable: boolean;
  /** Whether a commit reaches the disk, and a synchronous standby where there is one, before it is answered. */
  readonly synchronousCommit: string;
  readonly synchronousStandbys: number;
  readonly standbys: number;
  readonly mostLagBytes: number | undefined;
  readonly isArchiving: boolean;
  readonly lastArchivedAgoS: number | undefined;
  readonly oldestTransactionS: number;
  /** By how much the server's clock is ahead of this process's. */
  readonly clockAheadMs: number;
  /** Releases that backends of this store have connections of. */
  readonly releases: readonly string[];
}
