import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ChestError, endpoints, HEADERS, isRequestId } from "@chest/contracts";
import type { FastifyInstance } from "fastify";

export interface RequestLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

const PROBES: ReadonlySet<string> = new Set([endpoints.healthz.path, endpoints.readyz.path]);

/** Reads the request's id, or makes one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const received = headers[HEADERS.requestId];
  return typeof received === "string" && isRequestId(received) ? received : randomUUID();
}

/** Gives every request an id, and writes one log line when it ends. */
export function addRequests(app: FastifyInstance, { log }: { log: RequestLog }): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });

  app.addHook("onRequest", (request, reply, done) => {
    reply.header(HEADERS.requestId, request.id);
    done(isClosing ? shuttingDown() : undefined);
  });

  app.addHook("onSend", (_request, reply, payload, done) => {
    // An idle connection that stays open would delay the shutdown.
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });

  app.addHook("onResponse", (request, reply, done) => {
    // Health probes come every few seconds, so only failed ones are logged.
    if (PROBES.has(request.url) && reply.statusCode < 400) return done();
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        requestId: request.id,
        member: request.caller?.member.name,
      },
      "request",
    );
    done();
  });
}

function shuttingDown(): ChestError {
  return new ChestError("UNAVAILABLE", "this backend is shutting down", {
    hint: "try again in a moment",
    details: { retry_after_ms: 2000 },
  });
}
