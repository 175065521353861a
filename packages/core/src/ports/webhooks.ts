import type { Caller } from "../access/caller.ts";

export interface NewWebhook {
  readonly url: string;
  /** Operations that it is told of, a trailing `*` standing for any end; undefined for all. */
  readonly ops: readonly string[] | undefined;
  /** Key of its signatures: kept as it is, since each delivery is signed anew. */
  readonly secret: string;
  readonly memberId: number;
  /** The only projects that its maker's token opened; undefined for no such limit. */
  readonly projectIds: readonly number[] | undefined;
  /** The token it was made with: it ends when that one is revoked. */
  readonly tokenId: number | undefined;
}

/** How far a webhook has come. */
export interface WebhookProgress {
  /** Number of the last event that it was told of, or that does not concern it. */
  readonly cursor: number;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** Why the last attempt failed; undefined where it did not. */
  readonly trouble: string | undefined;
  /** When something was delivered last. */
  readonly deliveredAt: Date | undefined;
  /** Until then it is left alone: it is being delivered to, or rests after a failure. */
  readonly restsUntil: Date;
}

export interface WebhookRow extends NewWebhook, WebhookProgress {
  readonly id: number;
  readonly createdAt: Date;
}

/** Webhooks of members. Adding and removing leave their rows in the audit log. */
export interface WebhookBook {
  /** Ordered by id. */
  list(): Promise<readonly WebhookRow[]>;
  /** It begins after the newest event. */
  add(by: Caller, webhook: NewWebhook): Promise<WebhookRow>;
  /** @returns false where there is none. */
  remove(by: Caller, id: number): Promise<boolean>;
  /** Takes one that does not rest for as long as that, for one of several that try. @returns false where it rests, or is gone. */
  claim(id: number, until: Date): Promise<boolean>;
  /** Notes the progress of a webhook; without effect when the webhook was removed. */
  note(id: number, progress: WebhookProgress): Promise<void>;
}
