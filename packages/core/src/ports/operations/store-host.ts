/** Load and size of an open store; cheap to read. */
export interface Load {
  readonly writer: {
    /** Calls that wait for their commit. */
    readonly waiting: number;
    /** Writes since the store was opened. */
    readonly writes: number;
    readonly commits: number;
  };
  readonly search: { readonly threads: number; readonly busy: number; readonly waiting: number };
  readonly storeBytes: number;
  /** Size of the write-ahead log. */
  readonly logBytes: number;
}

/** Row counts of a store, without content. */
export interface Census {
  readonly live: number;
  readonly archived: number;
  readonly superseded: number;
  /** Memories without a text row, text rows missing from the index, and index entries without a row. */
  readonly unsegmented: number;
  readonly unindexed: number;
  readonly strayIndexed: number;
  readonly textRows: number;
  readonly entities: number;
  /** Live memories without a vector of the active model. */
  readonly pending: number;
  readonly vectors: number;
  /** Vectors whose length differs from their model's. */
  readonly corruptVectors: number;
}

/** Files of a store, their disk and their permissions. */
export interface StorePlace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** `NFS`, `SMB` or similar, where file locks are unreliable; undefined for a local disk. */
  readonly network: string | undefined;
  /** The folder, the store file and the files beside it. */
  readonly files: readonly PlacedFile[];
}

export interface PlacedFile {
  readonly what: "folder" | "store" | "log" | "lock" | "backups";
  readonly path: string;
  /** Octal mode, such as `600`. */
  readonly mode: string;
  /** Only its owner may read it. */
  readonly isClosed: boolean;
  /** Owned by the account that runs this process. */
  readonly isOwned: boolean;
}

/** Receives the outcome and duration of a search, including the wait for a thread. */
export type SearchListener = (kind: string, outcome: "ok" | "late" | "failed", seconds: number) => void;

/** Facts about an open store and its machine. */
export interface StoreHost {
  /** Starts the search threads, so that the first recall does not wait for them. */
  warm(): void;
  load(): Load;
  /** Counts the rows of every table, off the main thread. */
  census(): Promise<Census>;
  place(): StorePlace;
  /** Applied migration, and the newest that this release knows. */
  schema(): { readonly has: string; readonly knows: string };
  /** Calls the listener for every search that was answered or given up. */
  onSearch(listener: SearchListener): void;
}

/** Error that a store cannot be opened, for the operator, who may see its path. */
export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** A database server, from its operator's point of view. */
export interface DatabaseServer {
  /** Connections of this process at this moment, and its writes since it was opened. */
  load(): ServerLoad;
  facts(): Promise<ServerFacts>;
  /** Row counts that one backend made for all; undefined while another backend is making the first ones. */
  counted(): Promise<CountedRows | undefined>;
}

/** Row counts of a whole store, with their age. */
export interface CountedRows
  extends Pick<Census, "live" | "archived" | "superseded" | "pending" | "vectors" | "entities"> {
  readonly ageS: number;
}

export interface ServerLoad {
  readonly connections: {
    readonly open: number;
    readonly idle: number;
    /** Statements that wait for a connection. */
    readonly waiting: number;
    readonly most: number;
  };
  readonly writer: { readonly waiting: number; readonly commits: number };
}

/** Settings and state of a server. Undefined: this user may not see the value. */
export interface ServerFacts {
  readonly version: string;
  readonly vectorVersion: string;
  readonly sizeBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  readonly isDurable: boolean;
  /** Whether a commit waits for the disk, and for a synchronous standby if there is one. */
  readonly synchronousCommit: string;
  readonly synchronousStandbys: number;
  readonly standbys: number;
  readonly mostLagBytes: number | undefined;
  readonly isArchiving: boolean;
  readonly lastArchivedAgoS: number | undefined;
  readonly oldestTransactionS: number;
  /** Milliseconds by which the server's clock is ahead of this process. */
  readonly clockAheadMs: number;
  /** Releases of the connected backends. */
  readonly releases: readonly string[];
}

export type Cell = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Cell>>;

/** Every row of a store that no other process uses, for a move to another database. */
export interface StoreRows {
  /** Id of the store, unchanged by moves. */
  readonly uid: string;
  /** Path of its file, for messages. */
  readonly where: string;
  count(table: string): number;
  /** Rows of a table in a stable order, after skipping some. Empty for a missing table. */
  rows(table: string, skip: number): IterableIterator<Row>;
  /** Makes the store refuse to open from now on and name its new location; undefined undoes that. */
  markMoved(to: string | undefined): void;
  close(): void;
}
