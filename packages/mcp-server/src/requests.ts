import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { ErrorCode, McpError, type ServerResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Extra } from "./server.ts";

type RequestSchema = z.ZodObject<{ readonly method: z.ZodLiteral<string> }>;

/**
 * Answers a request of this kind; one that does not fit its schema is refused as −32602, in words of ours. By the SDK's own
 * reading it is an internal error, told by its library.
 */
export function onRequest<S extends RequestSchema>(
  server: Server,
  schema: S,
  answer: (request: z.output<S>, extra: Extra) => ServerResult | Promise<ServerResult>,
): void {
  const anyOfItsKind = z.looseObject({ method: schema.shape.method });
  // Past the SDK's `Server`, which reads a tool call by a schema of its own first.
  Protocol.prototype.setRequestHandler.call(server, anyOfItsKind, (request: unknown, extra: Extra) =>
    answer(readRequest(schema, request), extra),
  );
}

function readRequest<S extends RequestSchema>(schema: S, given: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(given);
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

export const invalidParams = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message);
