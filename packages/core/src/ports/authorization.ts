/** State that the OAuth authorization server keeps: a record of one kind under one id, until its end. */
export interface AuthorizationRecord {
  readonly kind: string;
  /** Digest of the id that the server knows it by: the id itself may be a secret. */
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Grant that it belongs to: a row of the tokens. */
  readonly grantId: number | undefined;
  readonly expiresAt: Date;
}

export interface KeptRecord {
  readonly payload: Readonly<Record<string, unknown>>;
  /** When it was used up; undefined while it was not. */
  readonly consumedAt: Date | undefined;
}

/** Records of the authorization server. None of them is found after its end. */
export interface AuthorizationRecords {
  find(kind: string, id: string): Promise<KeptRecord | undefined>;
  /** Replaces the one that is there. */
  put(record: AuthorizationRecord): Promise<void>;
  /**
   * Keeps the registration of a client for a grant that it was given, to the end of that grant or of a longer one. When
   * its last grant has ended, and no later than a sweep after that, it is like one that was never used.
   */
  keepFor(grantId: number, id: string, expiresAt: Date): Promise<void>;
  /** Whether a member lets this client in now. */
  hasGrant(client: string): Promise<boolean>;
  /** Uses a record up, for one of several that try at once. @returns false where it was used up before, or is not there. */
  consume(kind: string, id: string): Promise<boolean>;
  remove(kind: string, id: string): Promise<void>;
  /** Removes every record of a grant, but not the registration of its client. */
  removeGrant(grantId: number): Promise<void>;
  /**
   * Removes records that have ended, access tokens as well, and those of one kind above a number: of the ones that no
   * grant needs, those that end first.
   * @returns how many records that were.
   */
  sweep(kind: string, atMost: number): Promise<number>;
}
