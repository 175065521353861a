import { RELEASE } from "@chest/runtime";
import type { GuardedAnswer, GuardedRequest } from "../outbound/guarded-request.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 1024 * 1024;

/** One message of Standard Webhooks. */
export interface Message {
  /** Equal in every attempt, so that a receiver recognises a repeat. */
  readonly id: string;
  readonly type: "digest" | "memory.changed" | "ping";
  readonly at: Date;
  readonly data: object;
}

export interface Outbound {
  readonly request: (url: URL, options: GuardedRequest) => Promise<GuardedAnswer>;
  readonly allowPrivate: boolean;
}

/**
 * Signs a message and sends it. @returns the reason for a failure, without text of the receiver; undefined after
 * success.
 */
export async function deliver(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, type, at, data }: Message,
  { request, allowPrivate }: Outbound,
): Promise<string | undefined> {
  // The first delivery loads the client, since most backends have no webhook.
  const { Webhook } = await import("standardwebhooks");
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const now = new Date();
  const headers = {
    "content-type": "application/json",
    "content-length": `${Buffer.byteLength(body)}`,
    "user-agent": `chest-memory/${RELEASE}`,
    "webhook-id": id,
    "webhook-timestamp": `${Math.floor(now.getTime() / 1000)}`,
    "webhook-signature": new Webhook(secret).sign(id, now, body),
  };
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, allowPrivate };
  try {
    const { status } = await request(new URL(url), { method: "POST", headers, body, ...limits });
    return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it could not be reached";
  if (error.name === "PrivateAddress")
    return "it resolves to a private address, and CHEST_ALLOW_PRIVATE_ADDRESSES is off";
  if (/^(?:AbortError|TimeoutError)$/.test(error.name)) return `it did not answer within ${TIMEOUT_MS / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? "it could not be reached" : `it could not be reached (${code})`;
}
