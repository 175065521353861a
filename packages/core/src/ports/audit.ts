import type { Caller } from "../access/caller.ts";

/** One row of the log of who did what: ids and times, never content. */
export interface AuditEntry {
  readonly seq: number;
  readonly at: Date;
  /** Undefined for a caller without a valid token. */
  readonly member: string | undefined;
  readonly tokenId: number | undefined;
  /** As it stated itself. */
  readonly client: string | undefined;
  /** A tool, a route, or an event like `token.revoke`. */
  readonly op: string;
  /** `ok`, or the code it was refused with. */
  readonly outcome: string;
  readonly memoryIds: readonly number[];
  /** Other subject of the action, like `token:3`. */
  readonly subject: string | undefined;
  /** Number of equal events that this row counts. */
  readonly times: number;
}

export interface AuditQuery {
  readonly member?: string | undefined;
  readonly op?: string | undefined;
  readonly memoryId?: number | undefined;
  readonly since?: Date | undefined;
  /** Only rows older than this one: the next page. */
  readonly before?: number | undefined;
  /** Only rows newer than this one, and the oldest of them first. */
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
  /** Number of the newest row, 0 without one: no row of a lower number is still to come. */
  newest(): Promise<number>;
  /** Newest first, unless `after` is given. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** Noted now; written later, those alike as one row: a guesser cannot fill the disk. */
  refused(refusal: Refusal): void;
}
