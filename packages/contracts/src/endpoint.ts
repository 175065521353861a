import type { z } from "zod";
import { BODY_LIMITS } from "./limits.ts";

export type Scope = "read" | "write" | "operate" | "admin";

/**
 * `replayed`: the first answer again, and nothing is written. `told`: refused with `ALREADY_DONE`, since the answer holds
 * what is shown once. `harmless`: done again, to the same end.
 */
export type Repeat = "replayed" | "told" | "harmless";

/** One call the backend answers: both ends read this value, so they cannot disagree. */
export interface Endpoint<Response extends z.ZodType = z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE";
  /** `:name` marks a part of the path. */
  readonly path: string;
  readonly summary: string;
  /** `member` is any valid token, with any scopes. Undefined: open, no token wanted. */
  readonly scope: Scope | "member" | undefined;
  /** Longest body, in bytes; by default `BODY_LIMITS.hook` of a `POST`, and undefined where none is read. */
  readonly bodyLimit?: number | undefined;
  /** How a repeat of this write under its `Idempotency-Key` is answered; undefined for routes that change nothing. */
  readonly repeat?: Repeat;
  /** Its work grows with the store or with what is sent: it has `TIME_LIMITS.longAnswer`. */
  readonly isLong?: boolean;
  readonly response: Response;
}

export const defineEndpoint = <R extends z.ZodType>(endpoint: Endpoint<R>): Endpoint<R> =>
  endpoint.method === "POST" ? { bodyLimit: BODY_LIMITS.hook, ...endpoint } : endpoint;
