/** Load and size of an open store. Reading it costs microseconds. */
export interface Load {
  readonly writer: {
    /** Calls whose commit is still to come. */
    readonly waiting: number;
    /** Since it was opened. */
    readonly writes: number;
    readonly commits: number;
  };
  readonly search: { readonly threads: number; readonly busy: number; readonly waiting: number };
  readonly storeBytes: number;
  /** The write-ahead log. */
  readonly logBytes: number;
}

/** Row counts of a whole store; no content. */
export interface Census {
  readonly live: number;
  readonly archived: number;
  readonly superseded: number;
  /** Memories without a text row, text rows that the index does not have, and entries of it without a row. */
  readonly unsegmented: number;
  readonly unindexed: number;
  readonly strayIndexed: number;
  readonly textRows: number;
  readonly entities: number;
  /** Live memories that wait for a vector of the active model. */
  readonly pending: number;
  readonly vectors: number;
  /** Vectors that are not as long as their model's are. */
  readonly corruptVectors: number;
}

/** Files of a store, their disk and their permissions. */
export interface StorePlace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** `NFS`, `SMB` and their like, where locks do not hold; undefined for a local disk. */
  readonly network: string | undefined;
  /** The folder, the store and what lies beside it. */
  readonly files: readonly PlacedFile[];
}

export interface PlacedFile {
  readonly what: "folder" | "store" | "log" | "lock" | "backups";
  readonly path: string;
  /** Octal, like `600`. */
  readonly mode: string;
  /** Readable by its owner alone. */
  readonly isClosed: boolean;
  /** Owned by the account that asks. */
  readonly isOwned: boolean;
}

/** Called with how one question went, waiting for its thread included. */
export type SearchListener = (kind: string, outcome: "ok" | "late" | "failed", seconds: number) => void;

/** Facts that an open store has of itself and of the machine it is on. */
export interface StoreHost {
  /** Starts what searches, so that the first recall does not wait for it. */
  warm(): void;
  load(): Load;
  /** Counts every table, in a thread or on the database's side. */
  census(): Promise<Census>;
  place(): StorePlace;
  /** The migration it has, and the newest that this release knows. */
  schema(): { readonly has: string; readonly knows: string };
  /** Calls the listener for every search that was answered or given up. */
  onSearch(listener: SearchListener): void;
}

/** Reason why a store cannot be opened: for the operator, who may see its path. */
export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** A database that is a server of its own, as its operator looks at it. */
export interface DatabaseServer {
  /** Connections of this process at this moment, and its writes since it was opened. */
  load(): ServerLoad;
  facts(): Promise<ServerFacts>;
  /** Row counts that one backend made for all; undefined while the first are being made by another one. */
  counted(): Promise<CountedRows | undefined>;
}

/** Row counts of a whole store, and how long ago they were made. */
export interface CountedRows
  extends Pick<Census, "live" | "archived" | "superseded" | "pending" | "vectors" | "entities"> {
  readonly ageS: number;
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
  /** Milliseconds that the server's clock is ahead of this process's. */
  readonly clockAheadMs: number;
  /** Releases that backends of this store have connections of. */
  readonly releases: readonly string[];
}
