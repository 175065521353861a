/** State that the OAuth authorization server keeps: a record of one kind under one id, until its end. */
export interface AuthorizationRecord {
  readonly kind: string;
  /** Digest of the id, because the id itself may be a secret. */
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Grant of the record: the id of a token row. */
  readonly grantId: number | undefined;
  readonly expiresAt: Date;
}

export interface StoredRecord {
  readonly payload: Readonly<Record<string, unknown>>;
  /** Time of use; undefined while it is unused. */
  readonly consumedAt: Date | undefined;
}

/** Records of the authorization server. Expired records are never returned. */
export interface AuthorizationRecords {
  find(kind: string, id: string): Promise<StoredRecord | undefined>;
  /** Adds or replaces a record. */
  put(record: AuthorizationRecord): Promise<void>;
  /**
   * Keeps a client's registration until its last grant ends. After that it expires like a registration that was never
   * used, at the next sweep at the latest.
   */
  keepFor(grantId: number, id: string, expiresAt: Date): Promise<void>;
  /** Whether a member has an active grant for this client. */
  hasGrant(client: string): Promise<boolean>;
  /**
   * Marks a record as used, for exactly one of several concurrent callers.
   * @returns false if it was used already or does not exist
   */
  consume(kind: string, id: string): Promise<boolean>;
  remove(kind: string, id: string): Promise<void>;
  /** Removes every record of a grant except the client's registration. */
  removeGrant(grantId: number): Promise<void>;
  /**
   * Removes expired records, access tokens included. Of one kind it also removes those above a limit: records without a
   * grant, the next to expire first.
   * @returns how many were removed
   */
  sweep(kind: string, atMost: number): Promise<number>;
}
