import type { Caller } from "../access/caller.ts";

export interface NewWebhook {
  readonly url: string;
  /** Operations that it receives; a trailing `*` matches any end; undefined for all. */
  readonly ops: readonly string[] | undefined;
  /** Key for its signatures, stored in clear because each delivery is signed. */
  readonly secret: string;
  readonly memberId: number;
  /** The only projects of its creator's token; undefined for no limit. */
  readonly projectIds: readonly number[] | undefined;
  /** Token that created it: the webhook ends when the token is revoked. */
  readonly tokenId: number | undefined;
}

/** Delivery progress of a webhook. */
export interface WebhookProgress {
  /** Number of the last event that was delivered or does not concern it. */
  readonly cursor: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Error of the last attempt; undefined if it succeeded. */
  readonly trouble: string | undefined;
  /** Time of the last delivery. */
  readonly deliveredAt: Date | undefined;
  /** Not used before this time: a delivery is in progress, or it waits after a failure. */
  readonly restsUntil: Date;
}

export interface WebhookRow extends NewWebhook, WebhookProgress {
  readonly id: number;
  readonly createdAt: Date;
}

/** Webhooks of members. Adding and removing are recorded in the audit log. */
export interface WebhookBook {
  /** Ordered by id. */
  list(): Promise<readonly WebhookRow[]>;
  /** Deliveries start after the newest event. */
  add(by: Caller, webhook: NewWebhook): Promise<WebhookRow>;
  /** @returns false where there is none. */
  remove(by: Caller, id: number): Promise<boolean>;
  /**
   * Claims a webhook until a time, for one of several backends.
   * @returns false if it is waiting or removed
   */
  claim(id: number, until: Date): Promise<boolean>;
  /** Records the progress of a webhook; no effect if it was removed. */
  note(id: number, progress: WebhookProgress): Promise<void>;
}
