import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { ChestError, toEnvelope } from "@chest/contracts";
import type { FastifyInstance } from "fastify";
import type { RequestLog } from "./requests.ts";

/** Open files reserved for the store, its threads, backups, models and outgoing requests. */
const OWN_FILES = 128;
/** Most connections that are being refused at the same time. */
const REFUSED_AT_ONCE = 32;
const LINGER_MS = 1000;

/**
 * Computes how many connections fit into the process's limit of open files; undefined without a limit. A process
 * without free files can neither accept a connection nor open its own files.
 */
export function mostConnections(limits: string | undefined = ownLimits()): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits ?? "")?.[1];
  if (soft === undefined) return undefined;
  const own = OWN_FILES + REFUSED_AT_ONCE;
  return Math.max(Math.floor(Number(soft) / 4), Number(soft) - own);
}

function ownLimits(): string | undefined {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return undefined; // Not Linux.
  }
}

/**
 * Refuses connections above the limit with the error envelope; when too many are being refused at once, further ones
 * are closed.
 */
export function addConnectionLimit(
  app: FastifyInstance,
  { most, log }: { readonly most: number | undefined; readonly log: RequestLog },
): void {
  if (most === undefined) return;
  let open = 0;
  const refused = new WeakSet<Socket>();
  app.server.maxConnections = most + REFUSED_AT_ONCE;
  app.server.prependListener("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
    if (open <= most) return;
    refused.add(socket);
    log.info({ most }, "too many connections");
    socket.setTimeout(LINGER_MS, () => socket.destroy());
    socket.end(REFUSAL);
  });
  // A request that still arrives on a refused connection is not processed.
  app.addHook("onRequest", (request, reply, done) => {
    if (!refused.has(request.raw.socket)) return done();
    reply.hijack();
    request.raw.socket.destroySoon();
  });
}

const RETRY_AFTER_MS = 2000;

const BODY = JSON.stringify(
  toEnvelope(
    new ChestError("UNAVAILABLE", "too many connections are open at this backend", {
      hint: "close idle ones, or let the operator raise the limit of open files (`ulimit -n`)",
      details: { retry_after_ms: RETRY_AFTER_MS },
    }),
  ),
);

const REFUSAL = [
  "HTTP/1.1 503 Service Unavailable",
  "Content-Type: application/json; charset=utf-8",
  `Content-Length: ${Buffer.byteLength(BODY)}`,
  `Retry-After: ${RETRY_AFTER_MS / 1000}`,
  "Connection: close",
  "",
  BODY,
].join("\r\n");
