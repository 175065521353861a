import { ChestError, type Endpoint, errorEnvelope, fromEnvelope, UPDATE_CLIENT } from "@chest/contracts";
import type { z } from "zod";
import type { Incoming } from "./exchange.ts";
import { NoAnswer } from "./no-answer.ts";

/** The token that a request carried. */
export interface SentToken {
  readonly url: string;
  /** Source of the token, in words for a person: a variable, or the name of a file in backticks. */
  readonly from: string | undefined;
}

/**
 * Reads an endpoint's answer; throws the backend's own error, or reports that another server answered.
 * @param sent undefined for a request without a token.
 */
export function readAnswer<R extends z.ZodType>(
  endpoint: Endpoint<R>,
  { status, headers, body }: Incoming,
  sent?: SentToken,
): z.output<R> {
  if (status >= 300 && status < 400) throw redirected(status, headers.location);
  const json = parse(body);
  if (status >= 200 && status < 300) {
    const parsed = endpoint.response.safeParse(json);
    if (parsed.success) return parsed.data;
    throw notOurs(status, "the answer is not this backend's", PROXY_HINT);
  }
  const envelope = errorEnvelope.safeParse(json);
  const refusal = envelope.success ? fromEnvelope(envelope.data) : undefined;
  if (refusal && sent && sawNoToken(refusal, headers["www-authenticate"])) throw tokenLost(refusal);
  if (refusal?.code === "UNAUTHORIZED" && sent?.from !== undefined) throw wrongToken(sent.url, sent.from);
  if (refusal) throw withDelay(refusal, headers["retry-after"]);
  if (envelope.success) throw notOurs(status, "the backend's error is from a newer release", UPDATE_CLIENT);
  if (GATEWAY.has(status)) throw new NoAnswer("gateway", { status });
  throw notOurs(status, "the answer is not this backend's", HINTS[status] ?? PROXY_HINT);
}

/** Statuses of a proxy whose backend does not answer. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

const PROXY_HINT =
  "a proxy may be in the way, or the address is not the backend's: `chest-index doctor client` tells more";
const HINTS: Readonly<Record<number, string>> = {
  401: "a proxy in the way asks for a login of its own: let `/api`, `/capabilities` and `/healthz` through",
  403: "a proxy in the way refuses this client: let `/api`, `/capabilities` and `/healthz` through",
  404: "the address lacks the backend's path prefix, or is not the backend's: `chest-index doctor client` tells more",
  413: "a proxy in the way limits bodies: raise its limit (nginx: `client_max_body_size`)",
};

export function notOurs(status: number | undefined, message: string, hint = PROXY_HINT): ChestError {
  return new ChestError("BACKEND_PROTOCOL_ERROR", status === undefined ? message : `${message} (${status})`, {
    hint,
    details: status === undefined ? {} : { status },
  });
}

function redirected(status: number, location: string | undefined): ChestError {
  const to = location
    ?.split(/[?#]/)[0]
    ?.replace(/\/\/[^/@]*@/, "//")
    .slice(0, 200);
  return new ChestError("BACKEND_PROTOCOL_ERROR", `the backend's address redirects (${status})`, {
    hint: `redirects are not followed: use the final address${to ? `, perhaps of \`${to}\`` : ""}`,
    details: { status, ...(to ? { location: to } : {}) },
  });
}

/** A backend that was given a token and refuses it says `error="invalid_token"` as well. */
const sawNoToken = ({ code }: ChestError, challenge: string | undefined): boolean =>
  code === "UNAUTHORIZED" && challenge?.trim() === 'Bearer realm="chest"';

const tokenLost = ({ code, message }: ChestError) =>
  new ChestError(code, message, {
    hint: "this client sent its token and the backend saw none: a proxy in the way strips `Authorization`: let it through (nginx: remove `proxy_set_header Authorization`)",
  });

const wrongToken = (url: string, from: string) =>
  new ChestError("UNAUTHORIZED", `the backend at ${url} refuses the token from ${from}`, {
    hint: "ask the operator of the backend for the right one",
    details: { url, token_from: from },
  });

/** `Retry-After` of a proxy or a rate limiter counts if the error envelope names no delay. */
function withDelay(error: ChestError, header: string | undefined): ChestError {
  const delayMs = readRetryAfter(header);
  if (delayMs === undefined || error.details?.retry_after_ms !== undefined) return error;
  const { code, message, hint, details } = error;
  return new ChestError(code, message, { hint, details: { ...details, retry_after_ms: delayMs } });
}

/** Seconds or a date, as milliseconds from now; undefined when it is neither. */
function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // No JSON is no answer of ours; the caller says so.
  }
}
