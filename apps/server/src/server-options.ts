import { maxHeaderSize, type Server } from "node:http";
import type { Socket } from "node:net";
import { BODY_LIMITS, ChestError, HEADERS, toEnvelope } from "@chest/contracts";
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "./config.ts";
import type { Login } from "./login.ts";
import { isProtected, pathOf, unauthorized } from "./plugins/auth.ts";
import { notFound, sendError, toChestError } from "./plugins/errors.ts";
import { requestIdOf } from "./plugins/requests.ts";
import type { Timeouts } from "./timeouts.ts";

/** What Fastify is told before there are hooks, and how it answers what never becomes a request. */
export function serverOptions({ http }: Config, login: Login, timeouts: Timeouts): FastifyHttpOptions<Server> {
  return {
    logger: false, // One line a request is written by a hook, with fields of our choice.
    genReqId: requestIdOf,
    bodyLimit: BODY_LIMITS.tool,
    trustProxy: http.trustProxyHops === 0 ? false : (_address, hop) => hop < http.trustProxyHops,
    // A hook refuses with our envelope instead.
    return503OnClosing: false,
    connectionTimeout: timeouts.connectionMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    clientErrorHandler: (error, socket) => hangUp(error.code, socket),
    frameworkErrors: (_error, request, reply) => void refuseUrl(request, reply, login),
  };
}

/** A path that does not decode: no route has it, and without a token not even that is told. */
async function refuseUrl(request: FastifyRequest, reply: FastifyReply, login: Login): Promise<void> {
  reply.header(HEADERS.requestId, request.id);
  try {
    const token = /^bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1]?.trim();
    const isStranger = isProtected(pathOf(request.url)) && (token === undefined || !(await login(token)));
    await sendError(reply, isStranger ? unauthorized() : notFound("this route"));
  } catch (error) {
    await sendError(reply, toChestError(error, request));
  }
}

interface Unread {
  readonly status: string;
  readonly message: string;
  readonly hint: string;
}

/** What never became a request, by what the parser says of it. */
const UNREAD: Readonly<Record<string, Unread>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    message: "the request came too slowly",
    hint: "send it whole, without a pause",
  },
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: `the address and the headers are longer than ${maxHeaderSize} bytes`,
    hint: "shorten them; what is long goes into a body",
  },
};
const NO_HTTP: Unread = {
  status: "400 Bad Request",
  message: "what came was not a whole HTTP request",
  hint: "send HTTP/1.1, with a body as long as its `content-length` says",
};

function hangUp(code: string | undefined, socket: Socket): void {
  if (code === "ECONNRESET" || socket.destroyed) return;
  const { status, message, hint } = UNREAD[code ?? ""] ?? NO_HTTP;
  const body = JSON.stringify(toEnvelope(new ChestError("VALIDATION_ERROR", message, { hint })));
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8`;
  if (socket.writable)
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  socket.destroySoon();
}
