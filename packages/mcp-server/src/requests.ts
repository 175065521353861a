import { ErrorCode, type ServerResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";

/** Circumstances of a request that both protocols state. */
export interface Extra {
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A server of either protocol: takes an answer for each method, and reads no request by itself. */
export interface Answering {
  answer(method: string, answer: (request: unknown, extra: Extra) => Promise<ServerResult>): void;
  /** Whether the client of the request at hand draws documents of a server in its chat. */
  drawsViews(): boolean;
}

type RequestSchema = z.ZodObject<{ readonly method: z.ZodLiteral<string> }>;

/**
 * Answers requests of this kind. A request that does not match its schema is refused with −32602 and our own message;
 * the SDK itself would answer with an internal error and its library's message.
 */
export function onRequest<S extends RequestSchema>(
  server: Answering,
  schema: S,
  answer: (request: z.output<S>, extra: Extra) => ServerResult | Promise<ServerResult>,
): void {
  server.answer(schema.shape.method.value, async (request, extra) => answer(readRequest(schema, request), extra));
}

function readRequest<S extends RequestSchema>(schema: S, input: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const faults = error.issues.slice(0, MOST_NAMED).map(({ path, ...issue }) => {
    const field = path.map((part) => String(part).slice(0, 80)).join(".");
    return `\`${field}\` ${issue.code === "invalid_type" ? `is not ${KINDS[issue.expected] ?? `a ${issue.expected}`}` : "is not valid"}`;
  });
  throw invalidParams(`${schema.shape.method.value} needs other parameters: ${faults.join("; ")}`);
}

const MOST_NAMED = 5;
const KINDS: Readonly<Record<string, string>> = {
  array: "an array",
  object: "an object",
  record: "an object",
};

/** Error of the protocol, as both SDKs send it. Their own error of version 1.x writes its code into the text, and clients write it there again. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string): RpcError => new RpcError(ErrorCode.InvalidParams, message);
