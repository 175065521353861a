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
  /** Throws if a write cannot be taken now: the writer does not answer or the disk is full. */
  assertWritable(): Promise<void>;
  /** Throws if the search pool does not answer. */
  assertSearchable(): Promise<void>;
  /** Checks the whole file over a separate connection, and tests the writer without changing anything. */
  examine(): Promise<Diagnosis>;
  /** Rows and text rows by count, for `status`. */
  summary(): Promise<StoreSummary>;
}

export interface Diagnosis {
  readonly path: string;
  readonly doesExist: boolean;
  readonly sizeBytes: number;
  /** `ok`, or a description of the damage. */
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

/** An open database: opened once, in the `compose.ts` of an app. */
export interface Engine {
  /** The store as the caller of this call sees it. Rights may be read once and are reused for this call. */
  as(call: Call): Store;
  readonly access: AccessBook;
  readonly authorizations: AuthorizationRecords;
  readonly audit: AuditLog;
  readonly webhooks: WebhookBook;
  readonly purger: Purger;
  readonly inspect: Inspection;
  readonly lifecycle: Lifecycle;
  readonly identities: IdentityBook;
  /** Absent for a database that is backed up by other means. */
  readonly backups?: Backups | undefined;
  readonly host?: StoreHost | undefined;
  /** Absent if only one process serves a store. */
  readonly signals?: Signals | undefined;
  /** Absent if the store is a file. */
  readonly server?: DatabaseServer | undefined;
  /** All memories without a vector, in any space, for the embedder of this process. */
  readonly pending: PendingQueue;
  /**
   * Calls the listener after each commit that stores vectors, for example to compare memories by meaning.
   * @returns a function that removes the listener
   */
  onVectorsStored(listener: StoredListener): () => void;
  /** Writes buffered notes, finishes accepted calls, and closes. May be called twice. */
  close(): Promise<void>;
}
