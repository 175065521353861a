import type { z } from "zod";

export type Scope = "read" | "write" | "operate" | "admin";

/** One call the backend answers: both ends read this value, so they cannot disagree. */
export interface Endpoint<Response extends z.ZodType = z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE";
  /** `:name` marks a part of the path. */
  readonly path: string;
  readonly summary: string;
  /** Undefined: open, no token wanted. A function of the call where the scope depends on its subject. */
  readonly scope: Scope | undefined;
  /** Longest body, in bytes; undefined where none is read. */
  readonly bodyLimit?: number | undefined;
  readonly response: Response;
}

export const defineEndpoint = <R extends z.ZodType>(endpoint: Endpoint<R>): Endpoint<R> => endpoint;
