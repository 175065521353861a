import { Socket } from "node:net";
import { BODY_LIMITS, ChestError, ERRORS, internalError, toEnvelope } from "@chest/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

export interface DefectLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Turns everything that a route throws into the error envelope. */
export function addErrors(app: FastifyInstance, { log }: { log: DefectLog }): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toChestError(error, request);
    // Only the operator may read the cause: it may contain error text of the database.
    if (failure.cause !== undefined) log.error({ requestId: request.id, err: failure.cause }, "request failed");
    letFinish(request, reply, failure.code === "UNAUTHORIZED" ? STRANGER_MS : FINISH_MS);
    return sendError(reply, failure);
  });
}

const FINISH_MS = 5000;
// Without a token, a connection must not stay open for a body that never ends.
const STRANGER_MS = 1000;

/**
 * Reads and discards the rest of a request body for a while after an error. A client that still sends does not read the
 * answer yet, and closing the connection at once would lose it.
 */
function letFinish({ raw }: FastifyRequest, reply: FastifyReply, patienceMs: number): void {
  const { complete, socket } = raw;
  if (complete || !(socket instanceof Socket)) return;
  reply.removeHeader("connection");
  const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
  raw.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
}

export function sendError(reply: FastifyReply, failure: ChestError, status = failure.status): FastifyReply {
  if (ERRORS[failure.code].retry === "after-delay") reply.header("retry-after", retryAfterSeconds(failure));
  if (failure.code === "UNAUTHORIZED") {
    const isLogin = reply.request.headers.authorization !== undefined;
    const { challenge } = reply.request.routeOptions.config ?? {};
    const why = isLogin ? "invalid_token" : undefined;
    const usual = `Bearer realm="chest"${isLogin ? ', error="invalid_token"' : ""}`;
    reply.header("www-authenticate", challenge?.(why) ?? usual);
  }
  return reply.code(status).send(toEnvelope(failure));
}

export const noRoute = (): ChestError =>
  new ChestError("NOT_FOUND", "route not found", { hint: "`/openapi.json` lists every route" });

/** Turns any failure of a request into an error that its caller may see. */
export function toChestError(error: unknown, request: FastifyRequest): ChestError {
  if (error instanceof ChestError) return error;
  const { code = "", statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return tooLarge(request.routeOptions.bodyLimit ?? BODY_LIMITS.tool);
  if (statusCode >= 500) return internalError(request.id, error);
  return new ChestError("VALIDATION_ERROR", "the request could not be read to its end", {
    hint: "send the body whole, as long as its `content-length` says",
  });
}

function tooLarge(limit: number): ChestError {
  return new ChestError("PAYLOAD_TOO_LARGE", `the body is longer than ${limit} bytes`, {
    hint: "send less at a time",
    details: { limit_bytes: limit },
  });
}

function retryAfterSeconds({ details }: ChestError): number {
  const ms = details?.retry_after_ms;
  return typeof ms === "number" ? Math.max(1, Math.ceil(ms / 1000)) : 1;
}
