import type { StoredListener } from "../embedding/stored.ts";
import type { Call } from "../executor.ts";
import type { AccessBook } from "./access.ts";
import type { AuditLog } from "./audit.ts";
import type { AuthorizationRecords } from "./authorization.ts";
import type { IdentityBook } from "./identities.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Backups } from "./operations/backups.ts";
import type { Purger } from "./operations/purge.ts";
import type { Signals } from "./operations/signals.ts";
import type { DatabaseServer, StoreHost } from "./operations/store-host.ts";
import type { PendingQueue } from "./pending.ts";
import type { Store } from "./store.ts";
import type { WebhookBook } from "./webhooks.ts";

/** Health and counts of a database, for operators. */
export interface Inspection {
  /** Cheap: one read on a connection of its own. Throws when the database does not answer. */
  ping(): Promise<void>;
  /** Can a write be taken now: the writer answers, and there is room for it. Throws the reason. */
  assertWritable(): Promise<void>;
  /** Asks the search pool for an answer. Throws when it gives none. */
  assertSearchable(): Promise<void>;
  /** Looks through the whole file, over a connection of its own, and tries the writer without changing anything. */
  examine(): Promise<Diagnosis>;
  /** Rows and text rows by count, for `status`. */
  summary(): Promise<StoreSummary>;
}

export interface Diagnosis {
  readonly path: string;
  readonly doesExist: boolean;
  readonly sizeBytes: number;
  /** `ok`, or what is wrong. */
  readonly integrity: string;
  readonly journalMode: string;
  readonly tables: readonly string[];
  readonly missingTables: readonly string[];
  readonly isWritable: boolean;
  /** Reason why the store is missing or accepts no write. */
  readonly error?: string;
}

export interface StoreSummary {
  readonly where: string;
  readonly sizeBytes: number;
  readonly schemaVersion: string;
  readonly live: number;
  readonly archived: number;
  readonly superseded: number;
  readonly textRows: number;
  readonly pending: number;
}

/** A database as opened: once, in an app's `compose.ts`. */
export interface Engine {
  /** The store as this call's caller sees it, for this call: which places are open may be read once for all that it asks. */
  as(call: Call): Store;
  readonly access: AccessBook;
  readonly authorizations: AuthorizationRecords;
  readonly audit: AuditLog;
  readonly webhooks: WebhookBook;
  readonly purger: Purger;
  readonly inspect: Inspection;
  readonly lifecycle: Lifecycle;
  readonly identities: IdentityBook;
  /** Absent where the database has backups of its own. */
  readonly backups?: Backups | undefined;
  readonly host?: StoreHost | undefined;
  /** Absent where a store has one process that serves. */
  readonly signals?: Signals | undefined;
  /** Absent where the store is a file. */
  readonly server?: DatabaseServer | undefined;
  /** Every memory without a vector, in any space: for an embedder of this process. */
  readonly pending: PendingQueue;
  /**
   * Called with every vector that this process stores, on any path, after its commit: comparing memories by meaning
   * begins here.
   * @returns a function that ends it.
   */
  onVectorsStored(listener: StoredListener): () => void;
  /** Flushes what was noted, finishes what was accepted, and closes. Twice is once. */
  close(): Promise<void>;
}
