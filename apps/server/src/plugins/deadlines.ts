import type { Socket } from "node:net";
import { ChestError, toEnvelope } from "@chest/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Timeouts } from "../timeouts.ts";
import { hangUp } from "./client-error-handler.ts";
import { sendError } from "./errors.ts";
import type { RequestLog } from "./requests.ts";

/** A request that has not been answered completely. */
interface Underway {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limitMs: number;
  /** Start of the time limit, moved later by the time that the body took to arrive. */
  startedAt: number;
  readingSince: number | undefined;
}

/**
 * Answers requests that exceed their time limit with the error envelope, and cuts connections whose client is silent. A
 * connection is not cut while a complete request waits for its answer; only that request's own limit ends it.
 */
export function addDeadlines(
  app: FastifyInstance,
  { timeouts, log }: { readonly timeouts: Timeouts; readonly log: RequestLog },
): void {
  const underway = new Map<FastifyRequest, Underway>();

  app.decorateRequest("isLate", false);

  app.addHook("onRequest", (request, reply, done) => {
    const { isLong } = request.routeOptions.config ?? {};
    const limitMs = isLong ? timeouts.longAnswerMs : timeouts.answerMs;
    underway.set(request, { request, reply, limitMs, startedAt: performance.now(), readingSince: undefined });
    reply.raw.once("close", () => underway.delete(request));
    done();
  });
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const known = underway.get(request);
    if (known && !request.raw.complete) known.readingSince = performance.now();
    done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    const known = underway.get(request);
    if (known?.readingSince !== undefined) {
      known.startedAt += performance.now() - known.readingSince;
      known.readingSince = undefined;
    }
    done();
  });

  const looking = setInterval(() => {
    const now = performance.now();
    for (const { request, reply, limitMs, startedAt, readingSince } of underway.values()) {
      if (readingSince !== undefined || now - startedAt < limitMs) continue;
      if (reply.raw.headersSent || reply.raw.destroyed) continue;
      request.isLate = true;
      if (reply.sent) answerRaw(reply, late(limitMs));
      else sendError(reply, late(limitMs));
    }
  }, timeouts.checkMs).unref();
  app.addHook("onClose", async () => clearInterval(looking));

  const cutSilent = (socket: Socket) => {
    const waiting = [...underway.values()].find(({ request }) => request.raw.socket === socket);
    if (!waiting) return void socket.destroy();
    // The request body has stopped arriving.
    if (waiting.readingSince !== undefined) return hangUp("ERR_HTTP_REQUEST_TIMEOUT", socket, log);
    // The client does not read its answer.
    if (socket.writableLength > 0) socket.destroy();
  };
  app.server.on("timeout", (socket: Socket) => {
    const { bytesRead } = socket;
    // Timers run before sockets are read: bytes may have arrived while other programs had the processor.
    setImmediate(() => {
      if (!socket.destroyed && socket.bytesRead === bytesRead) cutSilent(socket);
    });
  });
}

/** Answers a request that a library serves without Fastify's reply. */
function answerRaw({ raw }: FastifyReply, failure: ChestError): void {
  raw.writeHead(failure.status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  raw.end(JSON.stringify(toEnvelope(failure)));
}

const RETRY_AFTER_MS = 5_000;

const late = (limitMs: number): ChestError =>
  new ChestError("UNAVAILABLE", `no answer within ${limitMs / 1000} s: the work was given up, or is done later`, {
    hint: "try again after the delay given; a write is safe to repeat with the same Idempotency-Key",
    details: { retry_after_ms: RETRY_AFTER_MS },
  });

declare module "fastify" {
  interface FastifyRequest {
    /** The client has already been answered with a timeout. */
    isLate: boolean;
  }
  interface FastifyContextConfig {
    /** Gives the route the longer time limit. */
    readonly isLong?: boolean;
  }
}
