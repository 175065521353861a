import type { Caller } from "../access/caller.ts";

/** One row of the audit log: ids and times, never content. */
export interface AuditEntry {
  readonly seq: number;
  readonly at: Date;
  /** Undefined for a caller without a valid token. */
  readonly member: string | undefined;
  readonly tokenId: number | undefined;
  /** Name that the client sent. */
  readonly client: string | undefined;
  /** A tool, a route, or an event like `token.revoke`. */
  readonly op: string;
  /** `ok`, or the error code of the refusal. */
  readonly outcome: string;
  readonly memoryIds: readonly number[];
  /** Object of the action, such as `token:3`. */
  readonly subject: string | undefined;
  /** Number of equal events that this row counts. */
  readonly times: number;
}

export interface AuditQuery {
  readonly member?: string | undefined;
  readonly op?: string | undefined;
  readonly memoryId?: number | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only older rows: the next page. */
  readonly before?: number | undefined;
  /** Only newer rows, the oldest first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface Refusal {
  readonly caller: Pick<Caller, "member" | "token" | "client"> | undefined;
  readonly op: string;
  readonly outcome: string;
}

/** Audit log of actions by member. Entries of writes commit with the writes. */
export interface AuditLog {
  /** Number of the newest row, 0 if there is none: no row with a lower number will appear later. */
  newest(): Promise<number>;
  /** Newest first, unless `after` is given. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /**
   * Records a refusal later, together with equal ones in a single row, so that guessing tokens cannot fill the disk.
   */
  refused(refusal: Refusal): void;
}
